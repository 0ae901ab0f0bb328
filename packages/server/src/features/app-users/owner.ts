import type { RequestContext } from '../projects/index.ts';
import { requirePassword, signedIn } from './current-user.ts';
import { signInAgain } from './errors.ts';
import { limitTries } from './limit-tries.ts';
import type { AppUserServices } from './services.ts';
import { findPasswordHash, findSession } from './store.ts';

/** How long after a sign-in its token alone may change how the user signs in. */
const freshForS = 15 * 60;

/**
 * Who holds a token alone must not add a way in that outlasts it: a user with a password shows it, one without has just
 * signed in.
 */
export async function requireOwner(
  services: AppUserServices,
  context: RequestContext,
  password: string | undefined,
): Promise<void> {
  const { id } = signedIn(context);
  const isPasswordThere = typeof (await findPasswordHash(context.db, id)) === 'string';
  if (isPasswordThere) {
    await requirePassword(services, context, password ?? '');
    return;
  }
  await limitTries(services, context, id);
  if (!(await isFresh(context))) throw signInAgain();
}

/** The same, but whoever has just signed in need not show the password again. */
export async function requireFreshOrOwner(
  services: AppUserServices,
  context: RequestContext,
  password: string | undefined,
): Promise<void> {
  if (await isFresh(context)) await limitTries(services, context, signedIn(context).id);
  else await requireOwner(services, context, password);
}

async function isFresh(context: RequestContext): Promise<boolean> {
  const session = await findSession(context.db, signedIn(context).sessionId);
  return session !== undefined && session.ageS < freshForS;
}
