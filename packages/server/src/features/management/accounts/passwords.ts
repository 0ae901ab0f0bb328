import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { countTries, emailKey, readEmail, wrongPassword } from '../../people/index.ts';
import { findProofsByEmail, lockProofs, markVerified, type Proofs, savePassword } from './account-store.ts';
import type { AccountDeps } from './deps.ts';
import { noMail } from './errors.ts';
import { handOver } from './hand-over.ts';
import { countRecentLinks, removeLinksOf } from './link-store.ts';
import { linkFor, takeLink } from './links.ts';
import { endSessions } from './session-store.ts';

/** Password reset emails to one address per hour. @limit - */
const mostResets = 5;

/** Checks the old password and hashes the new one. */
export async function preparePasswordChange(
  deps: AccountDeps,
  context: ManagementContext,
  given: { old_password: string; new_password: string },
): Promise<{ from: string; to: string }> {
  const { email, id } = accountIn(context);
  await countTries(deps.tries, { address: context.from.address, whose: `accounts:${id}` });
  const proofs = await findProofsByEmail(context.control, emailKey(email));
  const from = proofs?.passwordHash ?? undefined;
  const isRight = await deps.passwords.verify('accounts', given.old_password, from);
  if (!isRight || from === undefined) throw wrongPassword();
  return { from, to: await deps.passwords.hash('accounts', given.new_password) };
}

/** Sets a new password. Every session ends; the caller starts a new one. */
export async function changePassword(
  context: ManagementContext,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { id } = accountIn(context);
  const now = await lockProofs(context.control, id);
  if (now?.passwordHash !== from) throw wrongPassword();
  await replacePassword(context, now, to);
}

/** Mails a link, if there is such an account: the answer is the same if there is none. */
export async function askForReset(
  deps: AccountDeps,
  { control, from }: ManagementContext,
  email: string,
): Promise<string | undefined> {
  const key = emailKey(readEmail(email));
  await countTries(deps.tries, { address: from.address, whose: `accounts:${key}` });
  if (!deps.mails.canSend) throw noMail();
  const proofs = await findProofsByEmail(control, key);
  if (!proofs || (await countRecentLinks(control, key, 'reset')) >= mostResets) return proofs?.id;
  const link = await linkFor(control, 'reset', proofs);
  await deps.mails.send(control, { letter: 'reset', to: email.trim(), page: 'reset', ...link });
  return proofs.id;
}

/** Hashes the password that is to be set with a link, if whoever has it may try. */
export async function prepareReset(
  { tries, passwords }: AccountDeps,
  { from }: ManagementContext,
  password: string,
): Promise<string> {
  await countTries(tries, { address: from.address, whose: undefined });
  return passwords.hash('accounts', password);
}

/** Sets the password of whoever holds a mailed link. It shows the address to be theirs, too. Returns the account. */
export async function resetPassword(
  context: ManagementContext,
  token: string,
  passwordHash: string,
): Promise<Proofs> {
  const owner = await takeLink(context.control, token, 'reset');
  await handOver(context.control, owner.id);
  await replacePassword(context, owner, passwordHash);
  await markVerified(context.control, owner.id);
  return owner;
}

async function replacePassword(
  { control }: ManagementContext,
  { id }: Proofs,
  passwordHash: string,
): Promise<void> {
  await savePassword(control, id, passwordHash);
  await removeLinksOf(control, id, 'reset');
  await removeLinksOf(control, id, 'sign-in');
  await endSessions(control, id);
}
