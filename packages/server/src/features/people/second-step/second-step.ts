import { randomUUID } from 'node:crypto';
import type { Answer, RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { configOf } from '../../control/index.ts';
import { canMail, mailNotConfigured, mailUser } from '../messages/index.ts';
import {
  codeMinutes,
  endChallenge,
  findChallenge,
  insertCode,
  invalidCode,
  newCode,
  newToken,
  passwordMarkOf,
  takeChallenge,
  takeTry,
  tooManyCodes,
} from '../one-time-secrets/index.ts';
import { limitTries, signInOf } from '../sessions/index.ts';
import { type AppUser, findFactors, lockSignInMethods, type SignIn } from '../user-records/index.ts';
import type { ChallengeDeps, SecondStepDeps } from './deps.ts';
import { invalidChallenge } from './errors.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { takeTotpCode } from './totp.ts';

/** A sign-in that waits for its second step. */
export interface Challenge {
  readonly challenge: string;
  readonly methods: readonly string[];
  readonly expiresAt: Date;
}

/** What is asked for after a sign-in; undefined: nothing. */
export async function neededStep(
  { db, project }: RequestContext,
  { user, method }: SignIn,
): Promise<'totp' | 'email' | undefined> {
  const factors = await findFactors(db, user.id);
  if (factors?.isTotpConfirmed) return 'totp';
  const isOptedOut = factors?.skipsCodes === true && project.settings.allow2faOptOut === true;
  // A mailed code would add nothing to one that came by phone or went to the same mailbox.
  return configOf(project).ENABLE_2FA && !isOptedOut && method === 'password' ? 'email' : undefined;
}

/** What a user who gave the right password still has to do; undefined: nothing. Call it in a transaction. */
export async function beginSecondStep(
  deps: ChallengeDeps,
  context: RequestContext,
  login: SignIn,
): Promise<Challenge | undefined> {
  const kind = await neededStep(context, login);
  if (!kind) return undefined;
  await lockSignInMethods(context.db, login.user.id);
  const challenge = newToken();
  await giveCode(deps, context, {
    user: login.user,
    challengeHash: sha256(challenge),
    passwordMark: passwordMarkOf(login.passwordHash),
    method: login.method,
    isMailed: kind === 'email',
  });
  return {
    challenge,
    methods: kind === 'totp' ? ['totp', 'recovery_code'] : ['email'],
    expiresAt: new Date(Date.now() + codeMinutes * 60_000),
  };
}

/** Whether what a user has shown is still enough: once an authenticator app is in force, a mailed code is not. */
export async function isEnough({ db }: RequestContext, { user, method }: SignIn): Promise<boolean> {
  if (!method.endsWith('+email')) return true;
  return !(await findFactors(db, user.id))?.isTotpConfirmed;
}

/** The challenge as the answer to a sign-in. */
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
  deps: ChallengeDeps,
  context: RequestContext,
  step: { user: AppUser; challengeHash: Buffer; passwordMark: Buffer; method: string; isMailed: boolean },
): Promise<void> {
  const { user, challengeHash, passwordMark, method, isMailed } = step;
  const code = isMailed ? newCode(configOf(context.project).OTP_LENGTH) : undefined;
  const isGiven = await insertCode(context.db, {
    id: randomUUID(),
    purpose: 'second-step',
    countedFor: user.id,
    userId: user.id,
    challengeHash,
    passwordMark,
    method,
    ...(code !== undefined && { codeMark: deps.vault.mark(`second-step ${user.id} ${code}`) }),
    lastsS: codeMinutes * 60,
  });
  if (!isGiven) throw tooManyCodes();
  if (code === undefined) return;
  if (!(await canMail(deps.messages, context.project))) throw mailNotConfigured();
  await mailUser(deps.messages, context, user, {
    template: 'two-step-code',
    languages: context.from.languages,
    variables: { code, minutes: String(codeMinutes) },
    expiresAt: Date.now() + codeMinutes * 60_000,
  });
}

/** Mails a new code for the same sign-in; the previous one stops working. */
export async function resendCode(
  deps: SecondStepDeps,
  context: RequestContext,
  challenge: string,
): Promise<void> {
  await limitTries(deps.users, context);
  const challengeHash = sha256(challenge);
  await context.db.transaction(async (db) => {
    const inside = { ...context, db };
    const open = await findChallenge(db, challengeHash);
    if (!open?.hasCode) throw invalidChallenge();
    await lockSignInMethods(db, open.userId);
    if (!(await endChallenge(db, challengeHash))) throw invalidChallenge();
    const { user } = await signInOf(inside, open.userId, 'password');
    await giveCode(deps, inside, {
      user,
      challengeHash,
      passwordMark: open.passwordMark,
      method: open.method,
      isMailed: true,
    });
  });
}

/**
 * Checks the code of a second step, and returns the user behind the challenge. Call it outside a transaction: a wrong try
 * must count even though the call fails.
 */
export async function completeSecondStep(
  deps: SecondStepDeps,
  context: RequestContext,
  { challenge, code }: { challenge: string; code: string },
): Promise<SignIn> {
  await limitTries(deps.users, context);
  const { db } = context;
  const challengeHash = sha256(challenge);
  const open = await findChallenge(db, challengeHash);
  if (!open) throw invalidChallenge();
  const marks = deps.vault.marks(`second-step ${open.userId} ${code.trim()}`);
  const tried = await takeTry(db, { purpose: 'second-step', challengeHash }, marks);
  if (!tried) throw invalidChallenge();
  const second = tried.hasCode
    ? tried.isRight && 'email'
    : await takeFactor(deps, context, { userId: open.userId, challengeHash, code });
  if (!second) throw invalidCode();
  const login = await signInOf(context, open.userId, `${open.method}+${second}`);
  // If the password was changed since, the sign-in that began with the old one ends here.
  if (!passwordMarkOf(login.passwordHash).equals(open.passwordMark)) throw invalidChallenge();
  return login;
}

/** Takes a code of the authenticator app, or a recovery code, together with the challenge or not at all. */
async function takeFactor(
  { vault }: SecondStepDeps,
  { db }: RequestContext,
  { userId, challengeHash, code }: { userId: string; challengeHash: Buffer; code: string },
): Promise<string | false> {
  return db.transaction(async (db) => {
    const isTotp = await takeTotpCode(vault, db, userId, code);
    const isRecovery = !isTotp && (await useRecoveryCode(db, userId, code));
    if (!isTotp && !isRecovery) return false;
    if (!(await takeChallenge(db, challengeHash))) throw invalidChallenge();
    return isTotp ? 'totp' : 'recovery_code';
  });
}
