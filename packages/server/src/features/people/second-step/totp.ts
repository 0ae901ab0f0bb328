import { Secret, TOTP } from 'otpauth';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { authenticatorPlace, findFactors, takeTotpStep } from '../user-records/index.ts';

/** A new secret for an authenticator app: for the user, and as it is kept. */
export function newTotp(
  vault: Vault,
  { id, label, issuer }: { id: string; label: string; issuer: string },
): { secret: string; uri: string; sealed: Buffer } {
  const { secret, uri } = newAuthenticator({ label, issuer });
  return { secret, uri, sealed: vault.encrypt(secret, authenticatorPlace(id)) };
}

/** A new secret, and the address that authenticator apps read it from. */
export function newAuthenticator(names: { label: string; issuer: string }): { secret: string; uri: string } {
  const totp = authenticator(new Secret({ size: 20 }), names);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The step of time that a code is for; undefined: it is none of this secret, or not of now. */
export function stepOfCode(secret: string, code: string): number | undefined {
  if (!/^\d{6}$/.test(code.trim())) return undefined;
  const totp = authenticator(Secret.fromBase32(secret));
  // Clocks differ: the code before and the one after are accepted too.
  const away = totp.validate({ token: code.trim(), window: 1 });
  return away === null ? undefined : totp.counter() + away;
}

/** Takes a code of the user's authenticator app. False: this is none, or it was taken before. */
export async function takeTotpCode(
  vault: Vault,
  db: ProjectDb,
  userId: string,
  code: string,
): Promise<boolean> {
  const factors = await findFactors(db, userId);
  if (!factors?.totpSecret) return false;
  const step = stepOfCode(vault.decrypt(factors.totpSecret, authenticatorPlace(userId)), code);
  return step !== undefined && takeTotpStep(db, userId, step);
}

function authenticator(secret: Secret, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}
