import type { RequestContext } from '../../../calls/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { sessionNotFound } from './errors.ts';
import { signedIn } from './signed-in.ts';
import { endSession, endSessionOf } from './store.ts';
import { readSessions } from './user-sessions.ts';

/** The sessions of the user that have not ended, newest first. */
export async function listOwnSessions(context: RequestContext) {
  const { id, sessionId } = signedIn(context);
  const sessions = await readSessions(context, id);
  return sessions.map((session) => ({ ...session, current: session.id === sessionId }));
}

/** Ends one of the user's sessions: its tokens are refused from now on. */
export async function endOwnSession(context: RequestContext, id: string): Promise<void> {
  if (!isUuid(id) || !(await endSessionOf(context.db, id, signedIn(context).id))) throw sessionNotFound(id);
}

/** Ends the session of this call: its tokens are refused from now on. */
export async function signOut(context: RequestContext): Promise<void> {
  await endSession(context.db, signedIn(context).sessionId);
}
