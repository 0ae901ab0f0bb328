import { randomUUID } from 'node:crypto';
import type { Answer } from '../../platform/http/answer.ts';
import { sha256 } from '../../platform/secrets.ts';
import { type AppUser, type Login, limitTries, lockLoginWays, loginOf } from '../app-users/index.ts';
import { canMail, mailNotConfigured } from '../messages/index.ts';
import { configOf, type RequestContext } from '../projects/index.ts';
import { endChallenge, findChallenge, insertCode, takeChallenge, takeTry } from './code-store.ts';
import { invalidChallenge, invalidCode, tooManyCodes } from './errors.ts';
import { findFactors } from './factor-store.ts';
import { mailUser } from './mail-user.ts';
import { isRecoveryCode } from './recovery-codes.ts';
import { newCode, newToken } from './secrets.ts';
import type { AuthFlowServices } from './services.ts';
import { isTotpCode } from './totp.ts';

export const codeMinutes = 10;

/** A sign-in that waits for its second step. */
export interface Challenge {
  readonly challenge: string;
  readonly methods: readonly string[];
  readonly expiresAt: Date;
}

/** What a user who gave the right password must do yet; undefined: nothing. Call it in a transaction. */
export async function beginSecondStep(
  services: AuthFlowServices,
  context: RequestContext,
  login: Login,
): Promise<Challenge | undefined> {
  const { db, project } = context;
  const factors = await findFactors(db, login.user.id);
  const isOptedOut = factors?.skipsCodes === true && project.settings.allow2faOptOut === true;
  // A code by mail would add nothing to one that came by phone, or by the same mail.
  const mailsCode = configOf(project).ENABLE_2FA && !isOptedOut && login.method === 'password';
  if (!factors?.isTotpConfirmed && !mailsCode) return undefined;
  await lockLoginWays(db, login.user.id);
  const challenge = newToken();
  await giveCode(services, context, {
    user: login.user,
    challengeHash: sha256(challenge),
    passwordMark: sha256(login.passwordHash ?? ''),
    method: login.method,
    isMailed: !factors?.isTotpConfirmed,
  });
  return {
    challenge,
    methods: factors?.isTotpConfirmed ? ['totp', 'recovery_code'] : ['email'],
    expiresAt: new Date(Date.now() + codeMinutes * 60_000),
  };
}

/** Whether what a user has shown is still enough: a mailed code is not, once an authenticator app is in force. */
export async function isEnough({ db }: RequestContext, { user, method }: Login): Promise<boolean> {
  if (!method.endsWith('+email')) return true;
  return !(await findFactors(db, user.id))?.isTotpConfirmed;
}

/** The challenge as login answers it. */
export function challengeAnswer({ challenge, methods, expiresAt }: Challenge): Answer {
  const data = { requires_2fa: true, challenge, methods, expires_at: expiresAt };
  return {
    status: 200,
    data: JSON.stringify(data),
    beside: { requires_2fa: 'true', challenge: JSON.stringify(challenge) },
    kept: '',
  };
}

async function giveCode(
  services: AuthFlowServices,
  context: RequestContext,
  step: { user: AppUser; challengeHash: Buffer; passwordMark: Buffer; method: string; isMailed: boolean },
): Promise<void> {
  const { user, challengeHash, passwordMark, method, isMailed } = step;
  const code = isMailed ? newCode(configOf(context.project).OTP_LENGTH) : undefined;
  const isGiven = await insertCode(context.db, {
    id: randomUUID(),
    purpose: 'second-step',
    account: user.id,
    userId: user.id,
    challengeHash,
    passwordMark,
    method,
    ...(code !== undefined && { codeMark: services.vault.mark(`second-step ${user.id} ${code}`) }),
    lastsS: codeMinutes * 60,
  });
  if (!isGiven) throw tooManyCodes();
  if (code === undefined) return;
  if (!(await canMail(services.messages, context.project))) throw mailNotConfigured();
  await mailUser(services, context, user, {
    template: 'two-step-code',
    languages: context.from.languages,
    variables: { code, minutes: String(codeMinutes) },
    expiresAt: Date.now() + codeMinutes * 60_000,
  });
}

/** Mails a new code for the same sign-in; the one before is good no more. */
export async function resendCode(
  services: AuthFlowServices,
  context: RequestContext,
  challenge: string,
): Promise<void> {
  await limitTries(services.users, context);
  const challengeHash = sha256(challenge);
  await context.db.transaction(async (db) => {
    const inside = { ...context, db };
    const open = await findChallenge(db, challengeHash);
    if (!open?.hasCode) throw invalidChallenge();
    await lockLoginWays(db, open.userId);
    if (!(await endChallenge(db, challengeHash))) throw invalidChallenge();
    const { user } = await loginOf(inside, open.userId, 'password');
    await giveCode(services, inside, {
      user,
      challengeHash,
      passwordMark: open.passwordMark,
      method: open.method,
      isMailed: true,
    });
  });
}

/**
 * Checks the second step: the user behind the challenge, if the code is right. Call it outside a transaction: a wrong
 * try must count even though the call fails.
 */
export async function completeSecondStep(
  services: AuthFlowServices,
  context: RequestContext,
  { challenge, code }: { challenge: string; code: string },
): Promise<Login> {
  await limitTries(services.users, context);
  const { db } = context;
  const challengeHash = sha256(challenge);
  const open = await findChallenge(db, challengeHash);
  if (!open) throw invalidChallenge();
  const marks = services.vault.marks(`second-step ${open.userId} ${code.trim()}`);
  const tried = await takeTry(db, { purpose: 'second-step', challengeHash }, marks);
  if (!tried) throw invalidChallenge();
  const second = tried.hasCode
    ? tried.isRight && 'email'
    : await takeFactor(services, context, { userId: open.userId, challengeHash, code });
  if (!second) throw invalidCode();
  const login = await loginOf(context, open.userId, `${open.method}+${second}`);
  // The password has changed since: the sign-in that was begun with the old one ends here.
  if (!sha256(login.passwordHash ?? '').equals(open.passwordMark)) throw invalidChallenge();
  return login;
}

/** A code of the authenticator app, or a recovery code: taken together with the challenge, or not at all. */
async function takeFactor(
  services: AuthFlowServices,
  { db }: RequestContext,
  { userId, challengeHash, code }: { userId: string; challengeHash: Buffer; code: string },
): Promise<string | false> {
  return db.transaction(async (db) => {
    const isTotp = await isTotpCode(services, db, userId, code);
    const isRecovery = !isTotp && (await isRecoveryCode(db, userId, code));
    if (!isTotp && !isRecovery) return false;
    if (!(await takeChallenge(db, challengeHash))) throw invalidChallenge();
    return isTotp ? 'totp' : 'recovery_code';
  });
}
