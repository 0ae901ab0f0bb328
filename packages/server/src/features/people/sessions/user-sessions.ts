import type { RequestContext } from '../../../calls/index.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import { isUuid } from '../../../platform/ids.ts';
import { getUser, lockUser, userNotFound } from '../user-records/index.ts';
import { noSuchSession } from './errors.ts';
import { endSessionOf, endSessionsOf, listSessions } from './store.ts';

/** What is shown of the sessions of a user that have not ended, newest first. */
export async function readSessions({ db }: Pick<RequestContext, 'db'>, userId: string) {
  const sessions = await listSessions(db, userId);
  return sessions.map(({ userAgent, ...session }) => ({ ...session, device: deviceName(userAgent) ?? null }));
}

/** The same, for the project's server. */
export async function listSessionsOfUser(context: RequestContext, userId: string) {
  const { id } = await getUser(context, userId);
  return readSessions(context, id);
}

/** Ends one session of a user: its tokens are refused from now on. */
export async function endSessionOfUser(
  context: RequestContext,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<void> {
  const user = await getUser(context, userId);
  if (!isUuid(id) || !(await endSessionOf(context.db, id, user.id))) throw noSuchSession(id);
}

/** Ends every session of a user; returns how many there were. One that begins just now waits, and is not among them. */
export async function endSessionsOfUser(context: RequestContext, userId: string): Promise<number> {
  const { id } = await getUser(context, userId);
  return context.db.transaction(async (db) => {
    if (!(await lockUser(db, id))) throw userNotFound(userId);
    return endSessionsOf(db, id);
  });
}
