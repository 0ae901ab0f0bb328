import { randomUUID } from 'node:crypto';
import type { Answer } from '../../platform/http/answer.ts';
import { sha256 } from '../../platform/secrets.ts';
import { configOf, type RequestContext } from '../projects/index.ts';
import { type AppUser, type Login, userRecord } from './app-user.ts';
import { invalidLogin, userSuspended } from './errors.ts';
import type { AppUserServices } from './services.ts';
import { findPasswordHash, findSession, findUser, findUserOfSession, insertSession } from './store.ts';

/** Starts a session for a user and answers with its token: the one way a token comes into being. */
export async function startSession(
  services: Pick<AppUserServices, 'tokens' | 'flows'>,
  context: RequestContext,
  login: Login,
  status: 200 | 201 = 200,
): Promise<Answer> {
  const { user, passwordHash, method } = login;
  if (!(await services.flows.isEnough(context, login))) throw invalidLogin();
  const session = { id: randomUUID(), ...lifetimeFor(context) };
  await context.db.transaction(async (db) => {
    const started = { ...session, userId: user.id, passwordHash, method, ...context.from };
    if (!(await insertSession(db, started))) throw invalidLogin();
    await services.flows.signedIn({ ...context, db }, login);
  });
  const answer = await tokenAnswer(services, context, user, session);
  return { ...answer, status, kept: `session ${session.id} ${user.id}` };
}

/** Signs a user in who gave the right password: at once, or after a second step. */
export async function signIn(
  services: Pick<AppUserServices, 'tokens' | 'flows'>,
  context: RequestContext,
  login: Login,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const step = await services.flows.secondStep({ ...context, db }, login);
    if (step) return { ...step, kept: `step ${login.user.id} ${login.method} ${markOf(login.passwordHash)}` };
    return startSession(services, { ...context, db }, login);
  });
}

/**
 * Answers a repeated call: with a new token of the sign-in that the first one began, while that has not ended; or, if the
 * first one was asked for a second step, by asking again.
 */
export async function repeatSignIn(
  services: Pick<AppUserServices, 'tokens' | 'flows'>,
  context: RequestContext,
  kept: string,
  status: 200 | 201,
): Promise<Answer> {
  const [kind, ...rest] = kept.split(' ');
  if (kind === 'step') return signIn(services, context, await keptLogin(context, rest));
  const [sessionId = '', userId = ''] = rest;
  const user = await findUserOfSession(context.db, { sessionId, userId });
  const begun = await findSession(context.db, sessionId);
  if (!user || !begun) throw invalidLogin();
  const session = { id: sessionId, issuedAt: new Date(), expiresAt: begun.expiresAt };
  return { ...(await tokenAnswer(services, context, user, session)), status, kept };
}

async function keptLogin({ db }: RequestContext, [id = '', method = '', mark]: string[]): Promise<Login> {
  const user = await findUser(db, id);
  const passwordHash = await findPasswordHash(db, id);
  if (!user || passwordHash === undefined || markOf(passwordHash) !== mark) throw invalidLogin();
  if (user.isSuspended) throw userSuspended();
  return { user, passwordHash, method };
}

/** Tells one password from the next, without telling anything of it. */
function markOf(passwordHash: string | null): string {
  return sha256(passwordHash ?? '').toString('base64url');
}

export async function tokenAnswer(
  { tokens }: Pick<AppUserServices, 'tokens'>,
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

/** From when to when a token is good. Both come from one reading of the clock, so that the lifetime is exact. */
export interface Lifetime {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export function lifetimeFor({ project }: RequestContext): Lifetime {
  const now = Date.now();
  const minutes = configOf(project).JWT_EXPIRY_MINUTES;
  return { issuedAt: new Date(now), expiresAt: new Date(now + minutes * 60_000) };
}
