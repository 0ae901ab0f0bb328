import type { Answer, RequestContext } from '../../../calls/index.ts';
import { signIn, signInOf } from '../sessions/index.ts';
import {
  createUser,
  emailKey,
  findPasswordHash,
  findUserByEmail,
  lockVerifiedEmail,
} from '../user-records/index.ts';
import type { IdentityDeps } from './deps.ts';
import { emailMissing, emailTaken } from './errors.ts';
import { findLink, insertIdentity, lockIdentity } from './store.ts';
import type { ProvenIdentity } from './verify-sign-in.ts';

/**
 * Signs in whom a provider has identified. Somebody who comes for the first time is connected to the user with the same
 * address, or becomes a new one.
 */
export async function signInWithIdentity(
  { users }: IdentityDeps,
  context: RequestContext,
  identity: ProvenIdentity,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    await lockIdentity(db, identity);
    const userId = (await findLinkedUser(inside, identity)) ?? (await connect(users, inside, identity));
    // Whoever reads a mailbox can sign up at a provider with it, so an authenticator app is asked for all the same.
    return signIn(users, inside, await signInOf(inside, userId, identity.provider));
  });
}

/**
 * The id of the user whom the identity signs in. An identity that the provider did not vouch for stops doing so once the
 * user has a password: setting one took the mailbox, and the two may be different people.
 */
async function findLinkedUser({ db }: RequestContext, identity: ProvenIdentity): Promise<string | undefined> {
  const link = await findLink(db, identity);
  if (!link) return undefined;
  const passwordHash = await findPasswordHash(db, link.userId);
  const isUserGone = passwordHash === undefined;
  return isUserGone || (passwordHash !== null && !link.isVouched) ? undefined : link.userId;
}

/** Finds or creates the user for somebody who was not here before, and gives the id. */
async function connect(
  users: IdentityDeps['users'],
  context: RequestContext,
  identity: ProvenIdentity,
): Promise<string> {
  const { provider, subject, email, isEmailVouched, data } = identity;
  if (email === undefined) throw emailMissing();
  const known = await findUserByEmail(context, email);
  if (known && !(isEmailVouched && (await lockVerifiedEmail(context.db, known.id, emailKey(email)))))
    throw emailTaken();
  const wish = { email, passwordHash: null, emailVerified: isEmailVouched, data };
  const { id: userId } = known ?? (await createUser(users, context, wish));
  await insertIdentity(context.db, { provider, subject, userId, email, isVouched: isEmailVouched });
  return userId;
}
