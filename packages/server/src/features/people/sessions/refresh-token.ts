import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/secrets.ts';

/** What is kept of a refresh token. */
export interface KeptRefreshToken {
  /** The hash of the half that finds the session. */
  readonly family: Buffer;
  /** The hash of the whole. */
  readonly hash: Buffer;
}

/**
 * A refresh token has two halves of 256 random bits: the first stays for the life of its session, the second is new each
 * time. So a token that was traded, however long ago, still says whose it was, and nobody else can claim that.
 */
const form = /^plr_([\w-]{43})[\w-]{43}$/;

const half = (): string => randomBytes(32).toString('base64url');

/** A new refresh token, or the one that follows another. The prefix lets scanners find leaked ones. */
export function newRefreshToken(before?: string): string {
  return `plr_${form.exec(before ?? '')?.[1] ?? half()}${half()}`;
}

/** What is kept of a token, or compared with what is kept; undefined if it is not of the form. */
export function readRefreshToken(token: string): KeptRefreshToken | undefined {
  const family = form.exec(token)?.[1];
  return family === undefined ? undefined : { family: sha256(family), hash: sha256(token) };
}
