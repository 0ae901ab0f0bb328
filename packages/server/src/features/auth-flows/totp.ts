import { Secret, TOTP } from 'otpauth';
import type { Pool } from 'pg';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Vault } from '../../platform/vault.ts';
import { hasPassword, limitTries, requirePassword, signedIn } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { authenticatorSetUp, invalidCode, noAuthenticator } from './errors.ts';
import {
  confirmTotp,
  findFactors,
  listSealed,
  removeTotp,
  replaceRecoveryCodes,
  replaceSealed,
  saveTotp,
  takeRecoveryCode,
  takeTotpStep,
} from './factor-store.ts';
import { newRecoveryCode, readRecoveryCode } from './secrets.ts';
import type { AuthFlowServices } from './services.ts';

/** What shows that the owner of the account acts, and not whoever holds a token. */
export interface OwnerProof {
  readonly code: string;
  /** For users who have one. */
  readonly password?: string | undefined;
}

const recoveryCodeCount = 10;
const placeOf = (userId: string) => `authenticator of user ${userId}`;

/** Begins to set up an authenticator app; it is in force once a code of it was confirmed. */
export async function setUpTotp(
  services: AuthFlowServices,
  context: RequestContext,
  { password }: Pick<OwnerProof, 'password'>,
): Promise<{ secret: string; uri: string }> {
  await requireOwner(services, context, password);
  const { id, email } = signedIn(context);
  const totp = authenticator(new Secret({ size: 20 }), { label: email, issuer: context.project.name });
  const sealed = services.vault.encrypt(totp.secret.base32, placeOf(id));
  if (!(await saveTotp(context.db, id, sealed))) throw authenticatorSetUp();
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Puts the authenticator app in force; the recovery codes are given here and never again. */
export async function confirmSetUp(
  services: AuthFlowServices,
  context: RequestContext,
  code: string,
): Promise<string[]> {
  const { id } = signedIn(context);
  await limitTries(services.users, context, id);
  const factors = await findFactors(context.db, id);
  if (!factors?.totpSecret) throw noAuthenticator();
  if (factors.isTotpConfirmed) throw authenticatorSetUp();
  return context.db.transaction(async (db) => {
    if (!(await isTotpCode(services, db, id, code))) throw invalidCode();
    await confirmTotp(db, id);
    return giveRecoveryCodes(db, id);
  });
}

/** New recovery codes in the place of all before, for whoever shows a code of the app. */
export async function renewRecoveryCodes(
  services: AuthFlowServices,
  context: RequestContext,
  { code, password }: OwnerProof,
): Promise<string[]> {
  const { id } = signedIn(context);
  await requireOwner(services, context, password);
  return context.db.transaction(async (db) => {
    if (!(await isFactor(services, db, id, code))) throw invalidCode();
    return giveRecoveryCodes(db, id);
  });
}

/** Removes the authenticator app, for whoever shows a code of it or a recovery code. */
export async function takeTotpAway(
  services: AuthFlowServices,
  context: RequestContext,
  { code, password }: OwnerProof,
): Promise<void> {
  const { id } = signedIn(context);
  await requireOwner(services, context, password);
  await context.db.transaction(async (db) => {
    if (!(await isFactor(services, db, id, code))) throw invalidCode();
    await removeTotp(db, id);
  });
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

async function isFactor(
  services: Pick<AuthFlowServices, 'vault'>,
  db: ProjectDb,
  userId: string,
  code: string,
): Promise<boolean> {
  if (!(await findFactors(db, userId))?.isTotpConfirmed) throw noAuthenticator();
  if (await isTotpCode(services, db, userId, code)) return true;
  return takeRecoveryCode(db, userId, recoveryHash(userId, readRecoveryCode(code)));
}

async function giveRecoveryCodes(db: ProjectDb, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceRecoveryCodes(
    db,
    userId,
    codes.map((code) => recoveryHash(userId, code)),
  );
  return codes;
}

/** What is kept of a recovery code. */
export function recoveryHash(userId: string, code: string): Buffer {
  return sha256(`recovery ${userId} ${code}`);
}

/** Who holds a token alone must not lock the owner out: a user with a password shows it. */
async function requireOwner(
  services: AuthFlowServices,
  context: RequestContext,
  password: string | undefined,
): Promise<void> {
  const { id } = signedIn(context);
  if (await hasPassword(context, id)) await requirePassword(services.users, context, password ?? '');
  else await limitTries(services.users, context, id);
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
