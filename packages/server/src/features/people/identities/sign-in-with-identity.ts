import { type Answer, AskAgain, type CallGuards, type RequestContext } from '../../../calls/index.ts';
import { type Admission, admitSignIn, signIn, signInOf } from '../sessions/index.ts';
import {
  type AppUser,
  createUser,
  emailKey,
  findPasswordHash,
  findUserByEmail,
  guardUser,
  lockVerifiedEmail,
  type NewUser,
  newUser,
} from '../user-records/index.ts';
import type { IdentityDeps } from './deps.ts';
import { emailMissing, emailTaken } from './errors.ts';
import { findLink, insertIdentity, lockIdentity } from './store.ts';
import type { ProvenIdentity } from './verify-sign-in.ts';

/** What the code of the project says to whom a provider has identified. */
interface GuardedIdentity {
  /** Whom it lets become a user; undefined: there is one already. */
  readonly wanted: NewUser | undefined;
  readonly admission: Admission;
}

/** Asks the code of the project about the user whom the identity signs in, or who would be new. */
export async function guardIdentity(
  { users }: IdentityDeps,
  context: RequestContext,
  identity: ProvenIdentity,
  guards: CallGuards,
): Promise<GuardedIdentity> {
  const { provider: method } = identity;
  const known = (await findLinkedUser(context, identity)) ?? (await findSameUser(context, identity))?.id;
  if (known !== undefined) {
    const proven = await signInOf(context, known, method);
    return { wanted: undefined, admission: await admitSignIn(users, context, proven, guards) };
  }
  const wanted = await guardUser(context, userOf(identity), { method, guards });
  return { wanted, admission: await admitSignIn(users, context, { ...wanted, method }, guards) };
}

/** Of a user whom the identity must not sign in, the code is not asked: what it says would be told to somebody else. */
async function findSameUser(
  context: RequestContext,
  { email, isEmailVouched }: ProvenIdentity,
): Promise<AppUser | undefined> {
  const same = email === undefined ? undefined : await findUserByEmail(context, email);
  if (same && !(isEmailVouched && same.email_verified)) throw emailTaken();
  return same;
}

/** Who somebody becomes who was not here before. */
function userOf({ email, isEmailVouched, data }: ProvenIdentity): NewUser {
  if (email === undefined) throw emailMissing();
  return newUser({ email, emailVerified: isEmailVouched, data }, null);
}

/**
 * Signs in whom a provider has identified. Somebody who comes for the first time is connected to the user with the same
 * address, or becomes a new one.
 */
export async function signInWithIdentity(
  { users }: IdentityDeps,
  context: RequestContext,
  identity: ProvenIdentity,
  guarded: GuardedIdentity | undefined,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    await lockIdentity(db, identity);
    const userId =
      (await findLinkedUser(inside, identity)) ?? (await connect(users, inside, identity, guarded));
    // Whoever reads a mailbox can sign up at a provider with it, so an authenticator app is asked for all the same.
    return signIn(users, inside, await signInOf(inside, userId, identity.provider), guarded?.admission);
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
  guarded: GuardedIdentity | undefined,
): Promise<string> {
  const { provider, subject, email, isEmailVouched } = identity;
  if (email === undefined) throw emailMissing();
  const known = await findUserByEmail(context, email);
  if (known && !(isEmailVouched && (await lockVerifiedEmail(context.db, known.id, emailKey(email)))))
    throw emailTaken();
  const userId = known?.id ?? (await create(users, context, guarded ? guarded.wanted : userOf(identity)));
  await insertIdentity(context.db, { provider, subject, userId, email, isVouched: isEmailVouched });
  return userId;
}

async function create(
  users: IdentityDeps['users'],
  context: RequestContext,
  wanted: NewUser | undefined,
): Promise<string> {
  // There was a user when the code of the project was asked.
  if (!wanted) throw new AskAgain(emailTaken());
  await createUser(users, context, wanted);
  return wanted.user.id;
}
