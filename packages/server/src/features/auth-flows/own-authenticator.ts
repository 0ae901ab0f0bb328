import { randomUUID } from 'node:crypto';
import { limitTries, lockLoginWays, lockOwnLoginWays, requireOwner, signedIn } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { insertCode, useCode } from './code-store.ts';
import { authenticatorSetUp, invalidCode, noAuthenticator, tooManyCodes } from './errors.ts';
import { confirmTotp, findFactors, removeTotp, saveTotp } from './factor-store.ts';
import { giveRecoveryCodes, isRecoveryCode } from './recovery-codes.ts';
import type { AuthFlowServices } from './services.ts';
import { isTotpCode, newTotp } from './totp.ts';

/** What shows that the owner of the account acts, and not whoever holds a token. */
export interface OwnerProof {
  readonly code: string;
  /** For users who have one. */
  readonly password?: string | undefined;
}

/** Begins to set up an authenticator app; it is in force once a code of it was confirmed. */
export async function setUpTotp(
  services: AuthFlowServices,
  context: RequestContext,
): Promise<{ secret: string; uri: string }> {
  const { id, email } = signedIn(context);
  const { secret, uri, sealed } = newTotp(services, { id, label: email, issuer: context.project.name });
  if (!(await saveTotp(context.db, id, sealed))) throw authenticatorSetUp();
  return { secret, uri };
}

/** Puts the authenticator app in force; the recovery codes are given here and never again. */
export async function confirmSetUp(
  services: AuthFlowServices,
  context: RequestContext,
  code: string,
): Promise<string[]> {
  const { id } = signedIn(context);
  await limitTries(services.users, context, id);
  return context.db.transaction(async (db) => {
    await lockOwnLoginWays({ ...context, db });
    const factors = await findFactors(db, id);
    if (!factors?.totpSecret) throw noAuthenticator();
    if (factors.isTotpConfirmed) throw authenticatorSetUp();
    if (!(await isTotpCode(services, db, id, code))) throw invalidCode();
    await confirmTotp(db, id);
    return giveRecoveryCodes(db, id);
  });
}

/**
 * Checks a code of the app, or a recovery code, which is used up: ten wrong ones a day. Call it outside a transaction: a
 * wrong try must count even though the call fails.
 */
export async function proveFactor(
  services: AuthFlowServices,
  context: RequestContext,
  { code, password }: OwnerProof,
): Promise<void> {
  await requireOwner(services.users, context, password);
  const { db } = context;
  const { id: account } = signedIn(context);
  if (!(await findFactors(db, account))?.isTotpConfirmed) throw noAuthenticator();
  const id = randomUUID();
  const isLeft = await db.transaction(async (db) => {
    await lockLoginWays(db, account);
    return insertCode(db, { id, purpose: 'factor', account, userId: account, lastsS: 0 });
  });
  if (!isLeft) throw tooManyCodes();
  const isRight =
    (await isTotpCode(services, db, account, code)) || (await isRecoveryCode(db, account, code));
  if (!isRight) throw invalidCode();
  await useCode(db, id);
}

/** New recovery codes in the place of all before, for whoever has shown a factor. */
export async function renewRecoveryCodes(context: RequestContext): Promise<string[]> {
  const { id } = signedIn(context);
  return context.db.transaction(async (db) => {
    await lockOwnLoginWays({ ...context, db });
    if (!(await findFactors(db, id))?.isTotpConfirmed) throw noAuthenticator();
    return giveRecoveryCodes(db, id);
  });
}

/** Removes the authenticator app, for whoever has shown a factor. */
export async function takeTotpAway(context: RequestContext): Promise<void> {
  const { id } = signedIn(context);
  await context.db.transaction(async (db) => {
    await lockOwnLoginWays({ ...context, db });
    await removeTotp(db, id);
  });
}
