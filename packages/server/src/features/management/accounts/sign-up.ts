import { randomUUID } from 'node:crypto';
import type { ManagementContext } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { countTries, emailKey, invalidToken, readEmail } from '../../people/index.ts';
import type { AccountRecord } from './account.ts';
import { insertAccount } from './account-store.ts';
import type { AccountDeps } from './deps.ts';
import { accountEmailTaken, signUpClosed } from './errors.ts';
import { takeSignUpLink } from './links.ts';
import { sendVerification } from './verify-email.ts';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  /** Of the link in a mail: it shows that the address is theirs. */
  readonly invitation?: string;
}

/** Hashes the password of somebody who signs up, if they may try. */
export async function prepareSignUp(
  { tries, passwords, signUp }: AccountDeps,
  { from }: ManagementContext,
  { email, password, invitation }: SignUp,
): Promise<string> {
  // Before anything is hashed for a stranger.
  if (signUp === 'closed' || (signUp === 'invited' && invitation === undefined)) throw signUpClosed();
  await countTries(tries, { address: from.address, whose: `accounts:${emailKey(readEmail(email))}` });
  return passwords.hash('accounts', password);
}

/** Makes an account. With an invitation its address is known to be theirs; else a mail asks. */
export async function signUp(
  deps: AccountDeps,
  { control }: ManagementContext,
  { email: text, name = '', invitation }: SignUp,
  passwordHash: string,
): Promise<AccountRecord> {
  const email = readEmail(text);
  const key = emailKey(email);
  const isVerified = await isInvited(deps, control, invitation, key);
  if (!isVerified && deps.signUp !== 'open') throw signUpClosed();
  const account = await insertAccount(control, {
    id: randomUUID(),
    email,
    emailKey: key,
    isVerified,
    name,
    passwordHash,
  });
  if (!account) throw accountEmailTaken();
  if (!isVerified && deps.mails.canSend) await sendVerification(deps, control, account.id);
  return account;
}

async function isInvited(
  deps: AccountDeps,
  control: ControlDb,
  invitation: string | undefined,
  key: string,
): Promise<boolean> {
  if (invitation === undefined) return false;
  if (await deps.isInvited(control, invitation, key)) return true;
  if (await takeSignUpLink(control, invitation, key)) return true;
  throw invalidToken();
}
