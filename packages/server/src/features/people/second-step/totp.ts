import { Secret, TOTP } from 'otpauth';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { authenticatorPlace, findFactors, takeTotpStep } from '../user-records/index.ts';

/** A new secret for an authenticator app: for the user, and as it is kept. */
export function newTotp(
  vault: Vault,
  { id, label, issuer }: { id: string; label: string; issuer: string },
): { secret: string; uri: string; sealed: Buffer } {
  const totp = authenticator(new Secret({ size: 20 }), { label, issuer });
  const secret = totp.secret.base32;
  return { secret, uri: totp.toString(), sealed: vault.encrypt(secret, authenticatorPlace(id)) };
}

/** Takes a code of the user's authenticator app. False: this is none, or it was taken before. */
export async function takeTotpCode(
  vault: Vault,
  db: ProjectDb,
  userId: string,
  code: string,
): Promise<boolean> {
  const factors = await findFactors(db, userId);
  if (!factors?.totpSecret || !/^\d{6}$/.test(code.trim())) return false;
  const secret = Secret.fromBase32(vault.decrypt(factors.totpSecret, authenticatorPlace(userId)));
  const totp = authenticator(secret);
  // Clocks differ: the code before and the one after are accepted too.
  const away = totp.validate({ token: code.trim(), window: 1 });
  return away !== null && takeTotpStep(db, userId, totp.counter() + away);
}

function authenticator(secret: Secret, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}
