import type { RequestContext } from '../projects/index.ts';
import type { AppUser, Login } from './app-user.ts';
import { signedIn } from './current-user.ts';
import { emailKey } from './email.ts';
import { invalidLogin, sessionEnded, userNotFound, userSuspended } from './errors.ts';
import type { AppUserServices } from './services.ts';
import {
  endSessionsOf,
  findLogin,
  findPasswordHash,
  findSession,
  findUser,
  findUserByPhone,
  lockLoginWays,
  lockUser,
  savePassword,
  saveUser,
} from './store.ts';

/** A user who has shown who it is by other means than a password. */
export async function loginOf({ db }: RequestContext, userId: string, method: string): Promise<Login> {
  const user = await findUser(db, userId);
  const passwordHash = await findPasswordHash(db, userId);
  if (!user || passwordHash === undefined) throw invalidLogin();
  if (user.isSuspended) throw userSuspended();
  return { user, passwordHash, method };
}

export async function findUserByEmail(
  { db }: Pick<RequestContext, 'db'>,
  email: string,
): Promise<AppUser | undefined> {
  return (await findLogin(db, emailKey(email)))?.user;
}

export { findUserByPhone, lockLoginWays };

/** Sets a password for a user who has shown that it may; every sign-in there was ends. Call it in a transaction. */
export async function setPassword(
  services: Pick<AppUserServices, 'flows'>,
  context: RequestContext,
  userId: string,
  passwordHash: string,
): Promise<AppUser> {
  // First the user, then its secrets: whoever starts a session locks them in this order too.
  const user = await lockUser(context.db, userId);
  if (!user) throw userNotFound(userId);
  await savePassword(context.db, userId, passwordHash);
  await endSessionsOf(context.db, userId);
  await services.flows.passwordChanged(context, user);
  return user;
}

/** Sets or removes the phone that signs a user in; 400 if it is another's. Call it in a transaction. */
export async function setPhone(
  { db }: RequestContext,
  userId: string,
  phone: string | null,
): Promise<AppUser> {
  const before = await lockUser(db, userId);
  if (!before) throw userNotFound(userId);
  const after = { ...before, phone, updatedAt: Math.max(Date.now(), before.updatedAt + 1) };
  await saveUser(db, after, emailKey(after.email));
  return after;
}

/**
 * Locks how the signed-in user signs in, and makes sure that the sign-in is still good: a call is let in before its body
 * arrives, and a reset may have shut everybody out since. Call it in a transaction.
 */
export async function lockOwnLoginWays(context: RequestContext): Promise<void> {
  const { id, sessionId } = signedIn(context);
  await lockLoginWays(context.db, id);
  if (!(await findSession(context.db, sessionId))) throw sessionEnded();
}
