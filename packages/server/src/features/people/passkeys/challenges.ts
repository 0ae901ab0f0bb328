import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { type ChallengeUse, deleteChallenge, insertChallenge } from './challenge-store.ts';
import { invalidPasskey } from './errors.ts';
import type { RelyingParty } from './relying-party.ts';

/** How long a person may take. */
export const challengeLastsS = 300;

/** What a device was asked to sign, and by which page. */
export interface TakenChallenge extends RelyingParty {
  readonly challenge: string;
}

/** Something for a device to sign, once. */
export async function newChallenge(
  { db }: RequestContext,
  use: ChallengeUse,
  relyingParty: RelyingParty,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  const hash = sha256(Buffer.from(challenge).toString('base64url'));
  await insertChallenge(db, { hash, ...use, ...relyingParty, lastsS: challengeLastsS });
  return challenge;
}

/** Uses up the challenge that a device says it has signed, even if the rest fails: call it outside a transaction. */
export async function takeChallenge(
  { db }: RequestContext,
  use: ChallengeUse,
  clientData: string,
): Promise<TakenChallenge> {
  const challenge = challengeIn(clientData);
  const relyingParty = await deleteChallenge(db, { hash: sha256(challenge), ...use });
  if (!relyingParty) throw invalidPasskey();
  return { challenge, ...relyingParty };
}

/** The challenge named in what the browser gave the device to sign. */
export function challengeIn(clientData: string): string {
  try {
    const text = Buffer.from(clientData, 'base64url').toString();
    const said = parseJsonText(text);
    // Not from inside another site's page.
    if (isClientData(said) && said.crossOrigin !== true) return said.challenge;
  } catch {
    // Not JSON.
  }
  throw invalidPasskey();
}

const isClientData = (value: unknown): value is { challenge: string; crossOrigin?: unknown } =>
  typeof value === 'object' && value !== null && 'challenge' in value && typeof value.challenge === 'string';
