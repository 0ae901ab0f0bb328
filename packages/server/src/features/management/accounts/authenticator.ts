import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import {
  countTries,
  invalidCode,
  newAuthenticator,
  newRecoveryCodes,
  readRecoveryCode,
  stepOfCode,
  tooManyCodes,
} from '../../people/index.ts';
import {
  clearAuthenticator,
  confirmAuthenticator,
  countTriedCode,
  lockProofs,
  type Proofs,
  removeRecoveryCode,
  replaceRecoveryCodes,
  saveAuthenticator,
  takeStep,
  uncountTriedCode,
} from './account-store.ts';
import type { AccountDeps } from './deps.ts';
import { authenticatorInForce, noAuthenticator, secondStepRequired } from './errors.ts';

/** Wrong codes per account and day. @limit too_many_codes */
const mostTriedCodes = 10;

/** What is sealed for one account cannot be opened as another's. */
export const authenticatorPlace = (accountId: string) => `authenticator of account ${accountId}`;

const hashOf = (accountId: string, code: string) => sha256(`recovery of account ${accountId} ${code}`);

/** Begins to set up an authenticator app; it is in force once one of its codes is confirmed. */
export async function setUpAuthenticator(
  { vault }: AccountDeps,
  context: ManagementContext,
): Promise<{ secret: string; uri: string }> {
  const { id, email } = accountIn(context);
  const proofs = await lockProofs(context.control, id);
  if (proofs?.hasAuthenticator) throw authenticatorInForce();
  const made = newAuthenticator({ label: email, issuer: 'Plinth' });
  await saveAuthenticator(context.control, id, vault.encrypt(made.secret, authenticatorPlace(id)));
  return made;
}

/** Puts the authenticator app in force. The recovery codes can be read here and never again. */
export async function confirmSetUp(
  deps: AccountDeps,
  context: ManagementContext,
  code: string,
): Promise<string[]> {
  const { control } = context;
  const { id } = accountIn(context);
  await countTries(deps.tries, { address: undefined, whose: `accounts:${id}` });
  const proofs = await lockProofs(control, id);
  if (proofs?.hasAuthenticator) throw authenticatorInForce();
  if (!proofs?.totpSecret) throw noAuthenticator();
  if (!(await takeCode(deps.vault, control, proofs, code))) throw invalidCode();
  await confirmAuthenticator(control, id);
  return giveRecoveryCodes(control, id);
}

/** Asks for a code, if the account has a second factor. Not in a transaction: a wrong try must count. */
export async function proveSecondFactor(
  { vault }: Pick<AccountDeps, 'vault'>,
  control: ControlDb,
  proofs: Proofs,
  code: string | undefined,
): Promise<void> {
  if (!proofs.hasAuthenticator) return;
  if (code === undefined) throw secondStepRequired();
  if (!(await countTriedCode(control, proofs.id, mostTriedCodes))) throw tooManyCodes();
  const isRight =
    (await takeCode(vault, control, proofs, code)) ||
    (await removeRecoveryCode(control, proofs.id, hashOf(proofs.id, readRecoveryCode(code))));
  if (!isRight) throw invalidCode();
  await uncountTriedCode(control, proofs.id);
}

/** Replaces the recovery codes of an account that has just signed in. */
export async function renewRecoveryCodes(context: ManagementContext): Promise<string[]> {
  const { id } = accountIn(context);
  const proofs = await lockProofs(context.control, id);
  if (!proofs?.hasAuthenticator) throw noAuthenticator();
  return giveRecoveryCodes(context.control, id);
}

export async function removeAuthenticator(context: ManagementContext): Promise<void> {
  const { id } = accountIn(context);
  const proofs = await lockProofs(context.control, id);
  if (!proofs?.totpSecret) throw noAuthenticator();
  await clearAuthenticator(context.control, id);
  await replaceRecoveryCodes(context.control, id, []);
}

async function giveRecoveryCodes(control: ControlDb, id: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashOf(id, code));
  await replaceRecoveryCodes(control, id, hashes);
  return codes;
}

async function takeCode(
  vault: Vault,
  control: ControlDb,
  { id, totpSecret }: Proofs,
  code: string,
): Promise<boolean> {
  if (!totpSecret) return false;
  const step = stepOfCode(vault.decrypt(totpSecret, authenticatorPlace(id)), code);
  return step !== undefined && takeStep(control, id, step);
}
