import type { Answer, RequestContext } from '../../../calls/index.ts';
import { findUser, userNotFound } from '../user-records/index.ts';
import type { SessionDeps } from './deps.ts';
import { alreadyRefreshed, invalidRefreshToken, refreshNeedsToken, refreshTokenReused } from './errors.ts';
import { findRefreshed, tradeRefreshToken } from './refresh-store.ts';
import { type KeptRefreshToken, newRefreshToken, readRefreshToken } from './refresh-token.ts';
import { startedMark } from './sign-in.ts';
import { endSession, extendSession } from './store.ts';
import { lifetimeFor, tokenAnswer } from './token-answer.ts';

/**
 * Refuses a refresh token that cannot be traded. One that was traded before is in two hands: its session ends. That must
 * outlast the refusal, so it is done before the transaction of the call.
 */
export async function checkRefreshToken(
  { db }: RequestContext,
  token: string | undefined,
): Promise<KeptRefreshToken | undefined> {
  if (token === undefined) return undefined;
  const given = readRefreshToken(token);
  const session = given && (await findRefreshed(db, given));
  if (!session) throw invalidRefreshToken();
  // One that was just traded is refused by the trade, unless it repeats a call with its Idempotency-Key.
  if (session.isCurrent || session.isJustSpent) return given;
  await endSession(db, session.id);
  throw refreshTokenReused();
}

/** A fresh token and the next refresh token, for one that was checked. */
export async function refreshSession(
  deps: Pick<SessionDeps, 'tokens'>,
  context: RequestContext,
  { token, checked: from }: { token: string; checked: KeptRefreshToken },
): Promise<Answer> {
  const refreshToken = newRefreshToken(token);
  const lifetime = lifetimeFor(context);
  const to = readRefreshToken(refreshToken)!;
  const session = await tradeRefreshToken(context.db, { from, to, lifetime });
  if (!session) throw alreadyRefreshed();
  const user = await findUser(context.db, session.userId);
  if (!user || user.isSuspended) throw invalidRefreshToken();
  const answer = await tokenAnswer(deps, context, user, { id: session.id, ...lifetime, refreshToken });
  return { ...answer, kept: startedMark(session) };
}

/**
 * A fresh token for the session of one that is still valid. It brings no refresh token: the session has one, and whoever
 * found a token must not get more than that.
 */
export async function refreshValidToken(
  deps: Pick<SessionDeps, 'tokens'>,
  context: RequestContext,
): Promise<Answer> {
  const { user: caller } = context.principal;
  if (!caller) throw refreshNeedsToken();
  const { id, sessionId } = caller;
  const user = await findUser(context.db, id);
  const lifetime = lifetimeFor(context);
  if (!user || !(await extendSession(context.db, sessionId, lifetime.expiresAt))) throw userNotFound(id);
  return tokenAnswer(deps, context, user, { id: sessionId, ...lifetime });
}
