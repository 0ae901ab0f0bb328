import { randomUUID } from 'node:crypto';
import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import {
  checkCreation,
  countTries,
  creationOptions,
  invalidPasskey,
  type RegisterBody,
  tooManyPasskeys,
} from '../../people/index.ts';
import { emailNotVerified, lockProofs, useChallenge } from '../accounts/index.ts';
import { newChallenge, readChallenge } from './challenges.ts';
import type { AccountPasskeyDeps } from './deps.ts';
import type { AccountPasskey, NewAccountPasskey } from './passkey.ts';
import { countPasskeys, insertPasskey, listCredentials } from './passkey-store.ts';
import { dashboardParty } from './relying-party.ts';

/** Passkeys of one account. @limit too_many_passkeys */
const mostPasskeys = 20;

/** What a browser needs to make a passkey for the account that calls. */
export async function beginAdding(deps: AccountPasskeyDeps, context: ManagementContext) {
  const { id, email, isVerified } = accountIn(context);
  // Somebody may have signed up with another's address: they must leave no key behind for whoever shows it to be theirs.
  if (!isVerified) throw emailNotVerified();
  const party = dashboardParty(deps);
  if ((await countPasskeys(context.control, id)) >= mostPasskeys) throw tooManyPasskeys(mostPasskeys);
  const credentials = await listCredentials(context.control, { accountId: id, rpId: party.rpId });
  const owner = { id, email, projectName: 'Plinth', credentials };
  return creationOptions(owner, party, newChallenge(deps.vault, { toAdd: id }));
}

/** Checks what a device made of the options. */
export async function checkNewPasskey(
  deps: AccountPasskeyDeps,
  context: ManagementContext,
  { response, name }: RegisterBody,
): Promise<NewAccountPasskey> {
  const { id, isVerified } = accountIn(context);
  if (!isVerified) throw emailNotVerified();
  await countTries(deps.tries, { address: undefined, whose: `accounts:${id}` });
  const challenge = readChallenge(deps.vault, { toAdd: id }, response.response.clientDataJSON);
  const party = dashboardParty(deps);
  const made = await checkCreation(context, response, { challenge, ...party });
  const { credential, aaguid, credentialBackedUp } = made;
  return {
    challenge,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    signCount: credential.counter,
    transports: credential.transports ?? [],
    name: name ?? deviceName(context.from.userAgent) ?? 'Passkey',
    aaguid,
    backedUp: credentialBackedUp,
    rpId: party.rpId,
  };
}

/** Adds a passkey that was checked. Those of one account are added one after the other. */
export async function addPasskey(
  context: ManagementContext,
  { challenge, ...passkey }: NewAccountPasskey,
): Promise<AccountPasskey> {
  const { control } = context;
  const { id: accountId } = accountIn(context);
  await lockProofs(control, accountId);
  if (!(await useChallenge(control, challenge))) throw invalidPasskey();
  if ((await countPasskeys(control, accountId)) >= mostPasskeys) throw tooManyPasskeys(mostPasskeys);
  const added = await insertPasskey(control, { ...passkey, id: randomUUID(), accountId });
  if (!added) throw invalidPasskey();
  return added;
}
