import type { RequestContext } from '../../../calls/index.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import { isUuid } from '../../../platform/ids.ts';
import { sessionNotFound } from './errors.ts';
import { signedIn } from './signed-in.ts';
import { endSession, endSessionOf, listSessions } from './store.ts';

/** The sessions of the user that have not ended, newest first. */
export async function listOwnSessions(context: RequestContext) {
  const { id, sessionId } = signedIn(context);
  const sessions = await listSessions(context.db, id);
  return sessions.map(({ userAgent, ...session }) => ({
    ...session,
    device: deviceName(userAgent) ?? null,
    current: session.id === sessionId,
  }));
}

/** Ends one of the user's sessions: its tokens are refused from now on. */
export async function endOwnSession(context: RequestContext, id: string): Promise<void> {
  if (!isUuid(id) || !(await endSessionOf(context.db, id, signedIn(context).id))) throw sessionNotFound(id);
}

/** Ends the session of this call: its tokens are refused from now on. */
export async function signOut(context: RequestContext): Promise<void> {
  await endSession(context.db, signedIn(context).sessionId);
}
