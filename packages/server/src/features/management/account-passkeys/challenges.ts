import { randomBytes } from 'node:crypto';
import type { Vault } from '../../../platform/crypto/vault.ts';
import { challengeIn, challengeLastsS, invalidPasskey } from '../../people/index.ts';

/** What a challenge is for: to add a passkey to one account, or to sign anybody in. */
export type ChallengeUse = { readonly toAdd: string } | 'sign-in';

const headLength = 24;
const wholeLength = headLength + 32;

/**
 * Something for a device to sign: random bits, until when it is good, and our signature of both with what it is for. It is
 * kept nowhere, so asking for many fills nothing; a row is left by each that is used.
 */
export function newChallenge(vault: Vault, use: ChallengeUse): Uint8Array<ArrayBuffer> {
  const head = randomBytes(headLength);
  head.writeBigUInt64BE(BigInt(Date.now() + challengeLastsS * 1000), headLength - 8);
  const signature = Buffer.from(vault.sign(signedText(head, use)), 'base64url');
  return new Uint8Array(Buffer.concat([head, signature]));
}

/** The challenge that a device says it has signed, if it is ours, for this, and not past its time. */
export function readChallenge(vault: Vault, use: ChallengeUse, clientData: string): string {
  const challenge = challengeIn(clientData);
  const bytes = Buffer.from(challenge, 'base64url');
  // Another spelling of the same bytes would count as another challenge.
  if (bytes.length !== wholeLength || bytes.toString('base64url') !== challenge) throw invalidPasskey();
  const head = bytes.subarray(0, headLength);
  const signature = bytes.subarray(headLength).toString('base64url');
  if (!vault.isSigned(signedText(head, use), signature)) throw invalidPasskey();
  if (head.readBigUInt64BE(headLength - 8) <= BigInt(Date.now())) throw invalidPasskey();
  return challenge;
}

function signedText(head: Buffer, use: ChallengeUse): string {
  const what = use === 'sign-in' ? 'to sign in' : `to add to account ${use.toAdd}`;
  return `passkey challenge ${what} ${head.toString('base64url')}`;
}
