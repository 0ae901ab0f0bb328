import type { Answer, RequestContext } from '../../../calls/index.ts';
import { configOf } from '../../control/index.ts';
import { type AppUser, userRecord } from '../user-records/index.ts';
import type { SessionDeps } from './deps.ts';

/** What a token is made for. */
export interface SignedSession {
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Where the caller gets a new one. */
  readonly refreshToken?: string;
}

export async function tokenAnswer(
  { tokens }: Pick<SessionDeps, 'tokens'>,
  { project }: RequestContext,
  user: AppUser,
  { refreshToken, ...session }: SignedSession,
): Promise<Answer> {
  const accessToken = await tokens.sign(project, user, session);
  const record = userRecord(user);
  const data = {
    access_token: accessToken,
    token_type: 'bearer',
    expires_at: session.expiresAt,
    refresh_token: refreshToken,
    user: record,
  };
  return {
    status: 200,
    data: JSON.stringify(data),
    beside: {
      access_token: JSON.stringify(accessToken),
      ...(refreshToken !== undefined && { refresh_token: JSON.stringify(refreshToken) }),
      user: JSON.stringify(record),
    },
    // A token is never kept: a repeated call with the same Idempotency-Key gets a new one.
    kept: '',
  };
}

/** From when to when tokens are valid. All comes from one reading of the clock, so that lifetimes are exact. */
export interface Lifetime {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** When the refresh token expires. */
  readonly refreshUntil: Date;
}

export function lifetimeFor({ project }: RequestContext): Lifetime {
  const now = Date.now();
  const { JWT_EXPIRY_MINUTES, REFRESH_TOKEN_DAYS } = configOf(project);
  return {
    issuedAt: new Date(now),
    expiresAt: new Date(now + JWT_EXPIRY_MINUTES * 60_000),
    refreshUntil: new Date(now + REFRESH_TOKEN_DAYS * 86_400_000),
  };
}
