import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { KeptRefreshToken } from './refresh-token.ts';

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly refresh: KeptRefreshToken;
  readonly refreshUntil: Date;
  readonly method: string;
  readonly userAgent: string;
  readonly address: string;
}

/** Starts a session. A user has so many at most: the oldest ends for it. */
export async function insertSession(db: ProjectDb, session: NewSession, most: number): Promise<void> {
  await db.query(
    sql`WITH ended AS (
        DELETE FROM cell.sessions WHERE project_id = ${db.scope} AND id IN (
          SELECT id FROM cell.sessions WHERE project_id = ${db.scope} AND user_id = ${session.userId}::uuid
          ORDER BY created_at DESC, id OFFSET ${most - 1})
      )
      INSERT INTO cell.sessions (project_id, id, user_id, expires_at, method, user_agent, address,
        refresh_family, refresh_hash, refresh_expires_at)
      VALUES (${db.scope}, ${session.id}, ${session.userId}, greatest(${session.expiresAt}::timestamptz, ${session.refreshUntil}),
        ${session.method}, ${session.userAgent}, ${session.address},
        ${session.refresh.family}, ${session.refresh.hash}, ${session.refreshUntil})`,
    'sessions.insert',
  );
}

/** Lets a session last longer; false if it has ended meanwhile. */
export async function extendSession(db: ProjectDb, id: string, expiresAt: Date): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.sessions SET expires_at = greatest(expires_at, ${expiresAt})
    WHERE project_id = ${db.scope} AND id = ${id}::uuid RETURNING true`);
  return rows.length === 1;
}

export async function endSession(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`DELETE FROM cell.sessions WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

/** Ends a session if it is that user's; false if there is none. */
export async function endSessionOf(db: ProjectDb, id: string, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.sessions WHERE project_id = ${db.scope} AND id = ${id}::uuid AND user_id = ${userId}::uuid
    RETURNING true`);
  return rows.length === 1;
}

/**
 * Ends every session of a user; returns how many there were. Whoever starts one locks the user first, so lock the user
 * before this.
 */
export async function endSessionsOf(db: ProjectDb, userId: string): Promise<number> {
  const rows = await db.query(sql`
    DELETE FROM cell.sessions WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid RETURNING true`);
  return rows.length;
}

/** A session that has not ended: when it will, and how long ago it began. */
export async function findSession(
  db: ProjectDb,
  id: string,
): Promise<{ expiresAt: Date; ageS: number } | undefined> {
  const [row] = await db.query<{ expiresAt: Date; ageS: number }>(sql`
    SELECT expires_at AS "expiresAt", extract(epoch FROM now() - created_at)::float8 AS "ageS" FROM cell.sessions
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND expires_at > now()`);
  return row;
}

export interface StoredSession {
  readonly id: string;
  readonly method: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  /** When it last got new tokens; calls in between leave no trace. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** As many as one person can look through; the rest are older. */
const listedSessions = 100;

export async function listSessions(db: ProjectDb, userId: string): Promise<StoredSession[]> {
  return db.query<StoredSession>(sql`
    SELECT id, method, user_agent AS "userAgent", address, created_at AS "createdAt",
      coalesce(refreshed_at, created_at) AS "lastUsedAt", expires_at AS "expiresAt"
    FROM cell.sessions WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND expires_at > now()
    ORDER BY created_at DESC, id LIMIT ${listedSessions}`);
}
