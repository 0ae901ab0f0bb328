import type { ManagementAnswer, ManagementContext } from '../../../calls/management/index.ts';
import {
  checkAssertion,
  countTries,
  invalidPasskey,
  requestOptions,
  type SignInBody,
} from '../../people/index.ts';
import { lockProofs, startSession, useChallenge } from '../accounts/index.ts';
import { newChallenge, readChallenge } from './challenges.ts';
import type { AccountPasskeyDeps } from './deps.ts';
import type { PasskeyUse } from './passkey.ts';
import { findKey, noteUse } from './passkey-store.ts';
import { dashboardParty } from './relying-party.ts';

/** Begins a sign-in. Nobody is named, so it reveals nothing about who has an account. */
export async function beginSignIn(deps: AccountPasskeyDeps, { from }: ManagementContext) {
  await countTries(deps.tries, { address: from.address, whose: undefined });
  return requestOptions(dashboardParty(deps), newChallenge(deps.vault, 'sign-in'));
}

/** Checks what a device has signed. */
export async function checkPasskey(
  deps: AccountPasskeyDeps,
  context: ManagementContext,
  { response }: SignInBody,
): Promise<PasskeyUse> {
  await countTries(deps.tries, { address: context.from.address, whose: undefined });
  const challenge = readChallenge(deps.vault, 'sign-in', response.response.clientDataJSON);
  const party = dashboardParty(deps);
  const key = await findKey(context.control, { credentialId: response.id, rpId: party.rpId });
  if (!key) throw invalidPasskey();
  const { id, accountId, publicKey, signCount } = key;
  const passkey = { id: response.id, userId: accountId, publicKey, signCount };
  const used = await checkAssertion(context, { response, passkey }, { challenge, ...party });
  return { challenge, id, accountId, signCount: used.newCounter, backedUp: used.credentialBackedUp };
}

/** Signs in whoever used the passkey. It is two factors, a device and a finger or PIN: no code is asked for. */
export async function signInWithPasskey(
  context: ManagementContext,
  passkey: PasskeyUse,
): Promise<ManagementAnswer> {
  const { control } = context;
  if (!(await lockProofs(control, passkey.accountId))) throw invalidPasskey();
  if (!(await useChallenge(control, passkey.challenge))) throw invalidPasskey();
  if (!(await noteUse(control, passkey))) throw invalidPasskey();
  return startSession(context, passkey.accountId, 'passkey');
}
