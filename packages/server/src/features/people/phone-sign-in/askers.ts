import type { RequestContext } from '../../../calls/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import { tooManyCodes } from '../one-time-secrets/index.ts';
import { type Asker, addAsked, lockAsked, setKnown } from './asker-store.ts';

/** Codes of a day that were not used, to one number: of one network, of all strangers together, of the owner's network. */
const ofOneNetwork = 5;
const ofStrangers = 10;
const ofKnownNetwork = 10;
const knownForDays = 90;

/**
 * Counts a code that is asked for, whether or not the number is a user's. Strangers can use up what strangers may ask
 * for; where the owner has signed in before, a code can still be asked for. Call it in a transaction.
 */
export async function countAsked(vault: Vault, context: RequestContext, phone: string): Promise<void> {
  const asker = askerOf(vault, context, phone);
  const { isKnown, own, strangers } = await lockAsked(context.db, asker);
  const isTooMany = isKnown ? own >= ofKnownNetwork : own >= ofOneNetwork || strangers >= ofStrangers;
  if (isTooMany) throw tooManyCodes();
  await addAsked(context.db, asker);
}

/** Remembers where a user has signed in from. */
export async function rememberAsker(vault: Vault, context: RequestContext, phone: string): Promise<void> {
  await setKnown(context.db, askerOf(vault, context, phone), knownForDays);
}

function askerOf(vault: Vault, { from }: RequestContext, phone: string): Asker {
  return {
    phoneMark: vault.mark(`phone ${phone}`),
    askerMark: vault.mark(`phone ${phone} asked from ${networkOf(from.address)}`),
  };
}
