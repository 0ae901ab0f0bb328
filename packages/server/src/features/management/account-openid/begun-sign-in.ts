import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  type CookieKind,
  cookieIn,
  type ManagementContext,
  writeCookie,
} from '../../../calls/management/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import { parseJsonText } from '../../../platform/json.ts';

const lastsS = 600;
const place = 'OpenID sign-in of an account';

const begunSchema = Type.Object({
  state: Type.String(),
  verifier: Type.String(),
  nonce: Type.String(),
  /** The page of the dashboard to go to. */
  to: Type.String(),
  until: Type.Number(),
  /** The session that the browser had, which ends with this sign-in. Its own cookie does not come back from other sites. */
  before: Type.Optional(Type.Object({ accountId: Type.String(), sessionId: Type.String() })),
});

/** A sign-in that waits for the issuer. The browser keeps it, sealed: no other browser can end what this one began. */
export type BegunSignIn = Static<typeof begunSchema>;

const kind: CookieKind = {
  secureName: '__Host-plinth-openid',
  plainName: 'plinth-dev-openid',
  keptForS: lastsS,
  // The issuer is another site, and sends the browser back here.
  sameSite: 'Lax',
};

type Seal = Pick<ManagementContext, 'isPlain'>;

export function begunCookie(vault: Vault, begun: Omit<BegunSignIn, 'until'>, { isPlain }: Seal): string {
  const text = JSON.stringify({ ...begun, until: Date.now() + lastsS * 1000 });
  return writeCookie(kind, vault.encrypt(text, place).toString('base64url'), isPlain);
}

export const noBegunCookie = ({ isPlain }: Seal): string => writeCookie(kind, '', isPlain);

/** The sign-in that this browser has begun, if it did within the last ten minutes. */
export function begunIn(
  vault: Vault,
  cookies: string | undefined,
  { isPlain }: Seal,
): BegunSignIn | undefined {
  // Only the one name: over https another host of the domain could set the other.
  const sealed = cookieIn(cookies, [isPlain ? kind.plainName : kind.secureName], /^[\w-]+$/);
  const begun = sealed === undefined ? undefined : opened(vault, sealed);
  return Value.Check(begunSchema, begun) && begun.until > Date.now() ? begun : undefined;
}

function opened(vault: Vault, sealed: string): unknown {
  try {
    return parseJsonText(vault.decrypt(Buffer.from(sealed, 'base64url'), place));
  } catch {
    // Made up, or sealed with a key of before.
    return undefined;
  }
}
