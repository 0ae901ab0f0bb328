import { Secret, TOTP } from 'otpauth';
import type { Pool } from 'pg';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { Vault } from '../../platform/vault.ts';
import { findFactors, listSealed, replaceSealed, takeTotpStep } from './factor-store.ts';
import type { AuthFlowServices } from './services.ts';

const placeOf = (userId: string) => `authenticator of user ${userId}`;

/** A new secret for an authenticator app: for the user, and as it is kept. */
export function newTotp(
  { vault }: Pick<AuthFlowServices, 'vault'>,
  { id, label, issuer }: { id: string; label: string; issuer: string },
): { secret: string; uri: string; sealed: Buffer } {
  const totp = authenticator(new Secret({ size: 20 }), { label, issuer });
  const secret = totp.secret.base32;
  return { secret, uri: totp.toString(), sealed: vault.encrypt(secret, placeOf(id)) };
}

/** Whether this is a code of the user's authenticator app, not taken before. It is then taken. */
export async function isTotpCode(
  services: Pick<AuthFlowServices, 'vault'>,
  db: ProjectDb,
  userId: string,
  code: string,
): Promise<boolean> {
  const factors = await findFactors(db, userId);
  if (!factors?.totpSecret || !/^\d{6}$/.test(code.trim())) return false;
  const secret = Secret.fromBase32(services.vault.decrypt(factors.totpSecret, placeOf(userId)));
  const totp = authenticator(secret);
  // Clocks differ: the code before and the one after count, too.
  const away = totp.validate({ token: code.trim(), window: 1 });
  return away !== null && takeTotpStep(db, userId, totp.counter() + away);
}

function authenticator(secret: Secret, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}

/** Encrypts secrets of authenticator apps anew that a former SECRET_KEY has sealed; how many there were. */
export async function resealAuthenticators(pool: Pool, vault: Vault): Promise<number> {
  let count = 0;
  for (let after = { project: '0', user: '00000000-0000-0000-0000-000000000000' }; ; ) {
    const page = await listSealed(pool, after);
    for (const { project, user, sealed } of page) {
      if (vault.isCurrent(sealed)) continue;
      const text = vault.decrypt(sealed, placeOf(user));
      count += await replaceSealed(pool, {
        project,
        user,
        from: sealed,
        to: vault.encrypt(text, placeOf(user)),
      });
    }
    const last = page.at(-1);
    if (!last) return count;
    after = last;
  }
}
