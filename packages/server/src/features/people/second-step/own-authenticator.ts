import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { insertCode, invalidCode, tooManyCodes, useCode } from '../one-time-secrets/index.ts';
import { requireOwner } from '../passwords/index.ts';
import { limitTries, lockOwnSignInMethods, signedIn } from '../sessions/index.ts';
import {
  clearTotp,
  confirmTotp,
  findFactors,
  lockSignInMethods,
  saveTotp,
  setSkipsCodes,
} from '../user-records/index.ts';
import type { SecondStepDeps } from './deps.ts';
import { authenticatorSetUp, noAuthenticator } from './errors.ts';
import { giveRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { removeRecoveryCodes } from './store.ts';
import { newTotp, takeTotpCode } from './totp.ts';

/** What shows that the user acts, and not whoever holds a token. */
export interface OwnerProof {
  readonly code: string;
  /** For users who have one. */
  readonly password?: string | undefined;
}

/** Begins to set up an authenticator app; it is in force once one of its codes is confirmed. */
export async function setUpTotp(
  { vault }: SecondStepDeps,
  context: RequestContext,
): Promise<{ secret: string; uri: string }> {
  const { id, email } = signedIn(context);
  const { secret, uri, sealed } = newTotp(vault, { id, label: email, issuer: context.project.name });
  if (!(await saveTotp(context.db, id, sealed))) throw authenticatorSetUp();
  return { secret, uri };
}

/** Puts the authenticator app in force. The recovery codes can be read here and never again. */
export async function confirmSetUp(
  { users, vault }: SecondStepDeps,
  context: RequestContext,
  code: string,
): Promise<string[]> {
  const { id } = signedIn(context);
  await limitTries(users, context, id);
  return context.db.transaction(async (db) => {
    await lockOwnSignInMethods({ ...context, db });
    const factors = await findFactors(db, id);
    if (!factors?.totpSecret) throw noAuthenticator();
    if (factors.isTotpConfirmed) throw authenticatorSetUp();
    if (!(await takeTotpCode(vault, db, id, code))) throw invalidCode();
    await confirmTotp(db, id);
    return giveRecoveryCodes(db, id);
  });
}

/**
 * Checks a code of the app, or a recovery code, which is used up; ten wrong ones a day are allowed. Call it outside a
 * transaction: a wrong try must count even though the call fails.
 */
export async function proveFactor(
  { users, vault }: SecondStepDeps,
  context: RequestContext,
  { code, password }: OwnerProof,
): Promise<void> {
  await requireOwner(users, context, password);
  const { db } = context;
  const { id: userId } = signedIn(context);
  if (!(await findFactors(db, userId))?.isTotpConfirmed) throw noAuthenticator();
  const id = randomUUID();
  const isLeft = await db.transaction(async (db) => {
    await lockSignInMethods(db, userId);
    return insertCode(db, { id, purpose: 'factor', countedFor: userId, userId, lastsS: 0 });
  });
  if (!isLeft) throw tooManyCodes();
  const isRight = (await takeTotpCode(vault, db, userId, code)) || (await useRecoveryCode(db, userId, code));
  if (!isRight) throw invalidCode();
  await useCode(db, id);
}

/** Replaces the recovery codes of a user who has shown a factor. */
export async function renewRecoveryCodes(context: RequestContext): Promise<string[]> {
  const { id } = signedIn(context);
  return context.db.transaction(async (db) => {
    await lockOwnSignInMethods({ ...context, db });
    if (!(await findFactors(db, id))?.isTotpConfirmed) throw noAuthenticator();
    return giveRecoveryCodes(db, id);
  });
}

/** Removes the authenticator app of a user who has shown a factor. */
export async function removeOwnAuthenticator(context: RequestContext): Promise<void> {
  const { id } = signedIn(context);
  await context.db.transaction(async (db) => {
    await lockOwnSignInMethods({ ...context, db });
    await removeAuthenticator(db, id);
  });
}

/** Removes a user's authenticator app and recovery codes. Call it in a transaction. */
export async function removeAuthenticator(db: ProjectDb, userId: string): Promise<void> {
  await removeRecoveryCodes(db, userId);
  await clearTotp(db, userId);
}

/** Forgets all that a user has decided about its second step. Call it in a transaction. */
export async function forgetSecondStep(db: ProjectDb, userId: string): Promise<void> {
  await removeAuthenticator(db, userId);
  await setSkipsCodes(db, userId, false);
}
