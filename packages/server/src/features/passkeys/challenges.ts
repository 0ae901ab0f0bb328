import { randomBytes } from 'node:crypto';
import { parseJsonText } from '../../platform/json.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { RequestContext } from '../projects/index.ts';
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

/** Uses up the challenge that a device says it has signed, whatever comes of it: call it outside a transaction. */
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

/** The challenge that is named by what a browser gave the device to sign. */
function challengeIn(clientData: string): string {
  try {
    const text = Buffer.from(clientData, 'base64url').toString();
    const { challenge, crossOrigin } = parseJsonText(text) as { challenge?: unknown; crossOrigin?: unknown };
    // Not from inside another site's page.
    if (typeof challenge === 'string' && crossOrigin !== true) return challenge;
  } catch {
    // Not JSON, or not an object.
  }
  throw invalidPasskey();
}
