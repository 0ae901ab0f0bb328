import { randomUUID } from 'node:crypto';
import { type Answer, type RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import {
  findPasswordHash,
  findUser,
  findUserOfSession,
  lockAsProven,
  type SignIn,
} from '../user-records/index.ts';
import { type Admission, requireAdmitted } from './admission.ts';
import type { SessionDeps } from './deps.ts';
import { alreadyRefreshed, invalidLogin, userSuspended } from './errors.ts';
import { replaceRefreshToken } from './refresh-store.ts';
import { newRefreshToken, readRefreshToken } from './refresh-token.ts';
import { findSession, insertSession } from './store.ts';
import { lifetimeFor, tokenAnswer } from './token-answer.ts';

/**
 * Starts a session for a user and answers with its token: the only way to get a first token. Whatever ends all sessions of
 * a user locks the same rows, so that no new session slips past it.
 */
export async function startSession(
  deps: Pick<SessionDeps, 'tokens' | 'flows'>,
  context: RequestContext,
  proven: SignIn,
  { admission, status = 200 }: { admission: Admission; status?: 200 | 201 },
): Promise<Answer> {
  requireAdmitted(admission, proven);
  const { user, passwordHash, method } = proven;
  if (!(await deps.flows.isEnough(context, proven))) throw invalidLogin();
  const refreshToken = newRefreshToken();
  const session = { id: randomUUID(), userId: user.id, ...lifetimeFor(context) };
  await context.db.transaction(async (db) => {
    if (!(await lockAsProven(db, { userId: user.id, passwordHash }))) throw invalidLogin();
    const started = { ...session, refresh: readRefreshToken(refreshToken)!, method, ...context.from };
    await insertSession(db, started, context.project.limits.sessionsPerUser);
    await deps.flows.signedIn({ ...context, db }, proven);
  });
  const answer = await tokenAnswer(deps, context, user, { ...session, refreshToken });
  return { ...answer, status, kept: startedMark({ ...session, turn: 0 }) };
}

/** Signs a user in who gave the right password: at once, or after a second step. */
export async function signIn(
  deps: Pick<SessionDeps, 'tokens' | 'flows'>,
  context: RequestContext,
  proven: SignIn,
  admission: Admission,
): Promise<Answer> {
  return context.db.transaction(
    async (db) =>
      (await askSecondStep(deps, { ...context, db }, proven)) ??
      startSession(deps, { ...context, db }, proven, { admission }),
  );
}

async function askSecondStep(
  { flows }: Pick<SessionDeps, 'flows'>,
  context: RequestContext,
  proven: SignIn,
): Promise<Answer | undefined> {
  const step = await flows.secondStep(context, proven);
  const { user, method, passwordHash } = proven;
  return step && { ...step, kept: `step ${user.id} ${method} ${markOf(passwordHash)}` };
}

/**
 * Answers a repeated call: with new tokens of the session that the first one began, unless that has ended or a refresh
 * token shows that the first answer arrived; or, if the first one was asked for a second step, by asking again.
 */
export async function repeatSignIn(
  deps: Pick<SessionDeps, 'tokens' | 'flows'>,
  context: RequestContext,
  kept: string,
  status: 200 | 201,
): Promise<Answer> {
  const [kind, ...rest] = kept.split(' ');
  if (kind === 'step')
    return requireStep(await askSecondStep(deps, context, await keptSignIn(context, rest)));
  const [sessionId = '', userId = '', turn = '0'] = rest;
  const isActive = await findUserOfSession(context.db, { sessionId, userId });
  const user = isActive && (await findUser(context.db, userId));
  const begun = await findSession(context.db, sessionId);
  if (!user || !begun) throw invalidLogin();
  const refreshToken = newRefreshToken();
  const to = readRefreshToken(refreshToken)!;
  if (!(await replaceRefreshToken(context.db, sessionId, { turn: Number(turn), to })))
    throw alreadyRefreshed();
  const { issuedAt, expiresAt } = lifetimeFor(context);
  const until = new Date(Math.min(expiresAt.getTime(), begun.expiresAt.getTime()));
  const session = { id: sessionId, issuedAt, expiresAt: until, refreshToken };
  return { ...(await tokenAnswer(deps, context, user, session)), status, kept };
}

/** Where no second step is asked for any more, the sign-in begins anew: nobody has asked the project's code about it. */
function requireStep(step: Answer | undefined): Answer {
  if (!step) throw invalidLogin();
  return step;
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

/** What is kept of a call that answered with the tokens of a session. */
export function startedMark(session: { id: string; userId: string; turn: number }): string {
  return `session ${session.id} ${session.userId} ${session.turn}`;
}
