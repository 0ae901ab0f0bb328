import type { Answer } from '../../platform/http/answer.ts';
import { createUser, emailKey, findUserByEmail, loginOf, signIn } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { emailMissing, emailTaken } from './errors.ts';
import type { IdentityServices } from './services.ts';
import { findUserOf, insertIdentity, joinAccount, lockIdentity } from './store.ts';
import type { ProvenIdentity } from './verify-login.ts';

/** Signs in whom a provider has identified; who comes for the first time gets an account, or joins the one it has. */
export async function signInWithIdentity(
  { accounts }: IdentityServices,
  context: RequestContext,
  identity: ProvenIdentity,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    await lockIdentity(db, identity);
    const userId = (await findUserOf(db, identity)) ?? (await connect(accounts, inside, identity));
    // Whoever reads a mailbox can open an account at a provider with it: an authenticator app is asked for all the same.
    return signIn(accounts, inside, await loginOf(inside, userId, identity.provider));
  });
}

/** Finds or makes the account of somebody who was not here before; its id. */
async function connect(
  accounts: IdentityServices['accounts'],
  context: RequestContext,
  identity: ProvenIdentity,
): Promise<string> {
  const { email, isEmailVouched } = identity;
  if (email === undefined) throw emailMissing();
  const account = await findUserByEmail(context, email);
  if (!account) return create(accounts, context, { ...identity, email });
  const isJoined =
    isEmailVouched &&
    (await joinAccount(context.db, { ...identity, userId: account.id, email }, emailKey(email)));
  if (!isJoined) throw emailTaken();
  return account.id;
}

async function create(
  accounts: IdentityServices['accounts'],
  context: RequestContext,
  { email, isEmailVouched, data, ...key }: ProvenIdentity & { email: string },
): Promise<string> {
  const account = { email, passwordHash: null, emailVerified: isEmailVouched, data };
  const { id: userId } = await createUser(accounts, context, account);
  await insertIdentity(context.db, { ...key, userId, email }, isEmailVouched);
  return userId;
}
