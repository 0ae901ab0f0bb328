import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { KeptRefreshToken } from './refresh-token.ts';
import type { Lifetime } from './token-answer.ts';

/** How long after a trade the same token is taken for that of another tab, not of a thief. */
const graceS = 10;

/** A session as a refresh token finds it. */
interface RefreshedSession {
  readonly id: string;
  /** The token is the one that can be traded. */
  readonly isCurrent: boolean;
  /** It was traded a moment ago, and what came of it was not. */
  readonly isJustSpent: boolean;
}

export async function findRefreshed(
  db: ProjectDb,
  { family, hash }: KeptRefreshToken,
): Promise<RefreshedSession | undefined> {
  const [row] = await db.query<RefreshedSession & Record<string, unknown>>(sql`
    SELECT id, refresh_hash = ${hash} AS "isCurrent",
      coalesce(refresh_spent = ${hash} AND refreshed_at > now() - ${graceS} * interval '1 second', false) AS "isJustSpent"
    FROM cell.sessions WHERE project_id = ${db.scope} AND refresh_family = ${family}
      AND refresh_expires_at > now() AND expires_at > now()`);
  return row;
}

interface Trade {
  readonly from: KeptRefreshToken;
  readonly to: KeptRefreshToken;
  readonly lifetime: Lifetime;
}

interface TradedSession {
  readonly id: string;
  readonly userId: string;
  readonly turn: number;
}

/** Trades a refresh token for the next, and lets its session last longer. Of many calls at once, one succeeds. */
export async function tradeRefreshToken(
  db: ProjectDb,
  { from, to, lifetime }: Trade,
): Promise<TradedSession | undefined> {
  const [row] = await db.query<TradedSession & Record<string, unknown>>(sql`
    UPDATE cell.sessions SET refresh_hash = ${to.hash}, refresh_spent = refresh_hash, refresh_turn = refresh_turn + 1,
      refreshed_at = now(), refresh_expires_at = ${lifetime.refreshUntil},
      expires_at = greatest(expires_at, ${lifetime.expiresAt}, ${lifetime.refreshUntil})
    WHERE project_id = ${db.scope} AND refresh_family = ${from.family} AND refresh_hash = ${from.hash}
      AND refresh_expires_at > now() AND expires_at > now()
    RETURNING id, user_id AS "userId", refresh_turn AS turn`);
  return row;
}

/** Gives a session another refresh token in the place of one that nobody has used yet. False: somebody has. */
export async function replaceRefreshToken(
  db: ProjectDb,
  sessionId: string,
  { turn, to }: { turn: number; to: KeptRefreshToken },
): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.sessions SET refresh_family = ${to.family}, refresh_hash = ${to.hash}, refresh_spent = NULL,
      refresh_expires_at = coalesce(refresh_expires_at, expires_at)
    WHERE project_id = ${db.scope} AND id = ${sessionId}::uuid AND refresh_turn = ${turn} RETURNING true`);
  return rows.length === 1;
}
