import type { RequestContext, SignedInUser } from '../../../calls/index.ts';
import { lockSignInMethods } from '../user-records/index.ts';
import { sessionEnded } from './errors.ts';
import { findSession } from './store.ts';

/** The user of a route that only users reach. */
export function signedIn({ principal }: RequestContext): SignedInUser {
  if (!principal.user) throw new Error('A route for users ran without one.');
  return principal.user;
}

/**
 * Locks how the signed-in user signs in, and makes sure that the session has not ended: a call is let in before its body
 * arrives, and a reset may have ended every session since. Call it in a transaction.
 */
export async function lockOwnSignInMethods(context: RequestContext): Promise<void> {
  const { id, sessionId } = signedIn(context);
  await lockSignInMethods(context.db, id);
  if (!(await findSession(context.db, sessionId))) throw sessionEnded();
}
