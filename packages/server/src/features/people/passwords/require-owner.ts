import type { RequestContext } from '../../../calls/index.ts';
import { findSession, limitTries, signedIn } from '../sessions/index.ts';
import { findPasswordHash } from '../user-records/index.ts';
import { requirePassword } from './check-password.ts';
import type { PasswordDeps } from './deps.ts';
import { signInAgain } from './errors.ts';

/** How long after a sign-in its token alone may change how the user signs in. */
const freshForS = 15 * 60;

/**
 * A stolen token must not be enough to add a way to sign in that outlasts it: a user with a password shows it, one without
 * has just signed in.
 */
export async function requireOwner(
  deps: PasswordDeps,
  context: RequestContext,
  password: string | undefined,
): Promise<void> {
  const { id } = signedIn(context);
  if (typeof (await findPasswordHash(context.db, id)) === 'string') {
    await requirePassword(deps, context, password ?? '');
    return;
  }
  await limitTries(deps, context, id);
  if (!(await isFresh(context))) throw signInAgain();
}

/** The same, but whoever has just signed in need not show the password again. */
export async function requireFreshOrOwner(
  deps: PasswordDeps,
  context: RequestContext,
  password: string | undefined,
): Promise<void> {
  if (await isFresh(context)) await limitTries(deps, context, signedIn(context).id);
  else await requireOwner(deps, context, password);
}

async function isFresh(context: RequestContext): Promise<boolean> {
  const session = await findSession(context.db, signedIn(context).sessionId);
  return session !== undefined && session.ageS < freshForS;
}
