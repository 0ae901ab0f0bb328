import { isUuid } from '../../platform/ids.ts';
import { deviceName } from '../messages/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { signedIn } from './current-user.ts';
import { sessionNotFound } from './errors.ts';
import { endSessionOf, listSessions } from './store.ts';

/** The sign-ins of the user that have not ended, newest first. */
export async function listOwnSessions(context: RequestContext) {
  const { id, sessionId } = signedIn(context);
  const sessions = await listSessions(context.db, id);
  return sessions.map(({ userAgent, ...session }) => ({
    ...session,
    device: deviceName(userAgent) ?? null,
    current: session.id === sessionId,
  }));
}

/** Ends one of the user's sign-ins: its tokens are refused from now on. */
export async function endOwnSession(context: RequestContext, id: string): Promise<void> {
  if (!isUuid(id) || !(await endSessionOf(context.db, id, signedIn(context).id))) throw sessionNotFound(id);
}
