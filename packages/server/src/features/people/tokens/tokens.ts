import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Project } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { upTo } from '../../../platform/up-to.ts';
import type { KeyRing } from './key-ring.ts';

const issuer = 'plinth';

/** What a token says, once its signature is known to be ours. */
export interface TokenContent {
  readonly projectRef: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAtMs: number;
  /** The key that signed it. */
  readonly kid: string;
}

/** Signs and verifies the tokens of app users. A signature that was checked once is remembered. */
export class Tokens {
  readonly #ring: KeyRing;
  readonly #verified = new LRUCache<string, TokenContent>(upTo(20_000));

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  async sign(
    project: Pick<Project, 'ref'>,
    user: { readonly id: string; readonly email: string; readonly role: string },
    session: { id: string; issuedAt: Date; expiresAt: Date },
  ): Promise<string> {
    const { kid, key } = await this.#ring.signing();
    return new SignJWT({ email: user.email, role: user.role, sid: session.id })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .setIssuer(issuer)
      .setAudience(project.ref)
      .setSubject(user.id)
      .setIssuedAt(session.issuedAt)
      .setExpirationTime(session.expiresAt)
      .sign(key);
  }

  /** The token's content; undefined for a token that is not ours, was changed, or has expired. */
  async verify(token: string): Promise<TokenContent | undefined> {
    const content = await this.read(token);
    return content && !isExpired(content) ? content : undefined;
  }

  /** The same, also of a token that has expired. */
  async read(token: string): Promise<TokenContent | undefined> {
    const mark = sha256(token).toString('base64');
    const known = this.#verified.get(mark) ?? (await this.#check(token));
    // A token that was checked earlier ends with the key that signed it.
    if (!known || !(await this.#ring.verifying(known.kid))) return undefined;
    if (!isExpired(known)) this.#verified.set(mark, known);
    return known;
  }

  async #check(token: string): Promise<TokenContent | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await this.#ring.verifying(kid);
          if (!key) throw new Error('no such key');
          return key;
        },
        {
          algorithms: ['ES256'],
          issuer,
          typ: 'JWT',
          requiredClaims: ['exp', 'sub', 'aud', 'sid'],
          // Whether it has expired is asked later: that has an answer of its own.
          currentDate: new Date(0),
        },
      );
      const { aud, sub, sid, exp } = payload;
      const { kid } = protectedHeader;
      if (typeof aud !== 'string' || typeof sid !== 'string') return undefined;
      if (sub === undefined || exp === undefined || kid === undefined) return undefined;
      return { projectRef: aud, userId: sub, sessionId: sid, expiresAtMs: exp * 1000, kid };
    } catch {
      return undefined;
    }
  }
}

export function isExpired({ expiresAtMs }: TokenContent): boolean {
  return expiresAtMs <= Date.now();
}

/** The project a token claims to be for. Nothing of it has been checked yet. */
export function claimedProject(token: string): string | undefined {
  try {
    const { aud } = decodeJwt(token);
    return typeof aud === 'string' ? aud : undefined;
  } catch {
    return undefined;
  }
}
