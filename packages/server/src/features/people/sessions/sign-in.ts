import { randomUUID } from 'node:crypto';
import { type Answer, type RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { configOf } from '../../control/index.ts';
import {
  type AppUser,
  findPasswordHash,
  findUser,
  findUserOfSession,
  lockAsProven,
  type SignIn,
  userRecord,
} from '../user-records/index.ts';
import type { SessionDeps } from './deps.ts';
import { invalidLogin, userSuspended } from './errors.ts';
import { findSession, insertSession } from './store.ts';

/**
 * Starts a session for a user and answers with its token: the only way to get a first token. Whatever ends all sessions of
 * a user locks the same rows, so that no new session slips past it.
 */
export async function startSession(
  deps: Pick<SessionDeps, 'tokens' | 'flows'>,
  context: RequestContext,
  proven: SignIn,
  status: 200 | 201 = 200,
): Promise<Answer> {
  const { user, passwordHash, method } = proven;
  if (!(await deps.flows.isEnough(context, proven))) throw invalidLogin();
  const session = { id: randomUUID(), ...lifetimeFor(context) };
  await context.db.transaction(async (db) => {
    if (!(await lockAsProven(db, { userId: user.id, passwordHash }))) throw invalidLogin();
    const started = { ...session, userId: user.id, method, ...context.from };
    await insertSession(db, started, context.project.limits.sessionsPerUser);
    await deps.flows.signedIn({ ...context, db }, proven);
  });
  const answer = await tokenAnswer(deps, context, user, session);
  return { ...answer, status, kept: `session ${session.id} ${user.id}` };
}

/** Signs a user in who gave the right password: at once, or after a second step. */
export async function signIn(
  deps: Pick<SessionDeps, 'tokens' | 'flows'>,
  context: RequestContext,
  proven: SignIn,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const step = await deps.flows.secondStep({ ...context, db }, proven);
    if (step)
      return { ...step, kept: `step ${proven.user.id} ${proven.method} ${markOf(proven.passwordHash)}` };
    return startSession(deps, { ...context, db }, proven);
  });
}

/**
 * Answers a repeated call: with a new token of the session that the first one began, unless that has ended; or, if the
 * first one was asked for a second step, by asking again.
 */
export async function repeatSignIn(
  deps: Pick<SessionDeps, 'tokens' | 'flows'>,
  context: RequestContext,
  kept: string,
  status: 200 | 201,
): Promise<Answer> {
  const [kind, ...rest] = kept.split(' ');
  if (kind === 'step') return signIn(deps, context, await keptSignIn(context, rest));
  const [sessionId = '', userId = ''] = rest;
  const isActive = await findUserOfSession(context.db, { sessionId, userId });
  const user = isActive && (await findUser(context.db, userId));
  const begun = await findSession(context.db, sessionId);
  if (!user || !begun) throw invalidLogin();
  const session = { id: sessionId, issuedAt: new Date(), expiresAt: begun.expiresAt };
  return { ...(await tokenAnswer(deps, context, user, session)), status, kept };
}

/** The sign-in of a user who has shown who they are by other means than a password. */
export async function signInOf(context: RequestContext, userId: string, method: string): Promise<SignIn> {
  return requireActive(await findSignIn(context, userId, method));
}

async function keptSignIn(context: RequestContext, [id = '', method = '', mark]: string[]): Promise<SignIn> {
  const proven = await findSignIn(context, id, method);
  return requireActive(proven && markOf(proven.passwordHash) === mark ? proven : undefined);
}

async function findSignIn(
  { db }: RequestContext,
  userId: string,
  method: string,
): Promise<SignIn | undefined> {
  const user = await findUser(db, userId);
  const passwordHash = await findPasswordHash(db, userId);
  return user && passwordHash !== undefined ? { user, passwordHash, method } : undefined;
}

/** Refuses somebody unknown, and a user who is suspended. */
export function requireActive(proven: SignIn | undefined): SignIn {
  if (!proven) throw invalidLogin();
  if (proven.user.isSuspended) throw userSuspended();
  return proven;
}

/** Tells one password from the next without revealing either. */
function markOf(passwordHash: string | null): string {
  return sha256(passwordHash ?? '').toString('base64url');
}

export async function tokenAnswer(
  { tokens }: Pick<SessionDeps, 'tokens'>,
  { project }: RequestContext,
  user: AppUser,
  session: { id: string } & Lifetime,
): Promise<Answer> {
  const accessToken = await tokens.sign(project, user, session);
  const record = userRecord(user);
  const data = {
    access_token: accessToken,
    token_type: 'bearer',
    expires_at: session.expiresAt,
    user: record,
  };
  return {
    status: 200,
    data: JSON.stringify(data),
    beside: { access_token: JSON.stringify(accessToken), user: JSON.stringify(record) },
    // A token is never kept: a repeated call with the same Idempotency-Key gets a new one.
    kept: '',
  };
}

/** From when to when a token is valid. Both come from one reading of the clock, so that the lifetime is exact. */
export interface Lifetime {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export function lifetimeFor({ project }: RequestContext): Lifetime {
  const now = Date.now();
  const minutes = configOf(project).JWT_EXPIRY_MINUTES;
  return { issuedAt: new Date(now), expiresAt: new Date(now + minutes * 60_000) };
}
