import type { ProjectDb } from '../../platform/db/project-db.ts';
import { join, plainArray, type Sql, sql } from '../../platform/db/sql.ts';
import type { MemberRow, SharedStatement } from '../../platform/db/together.ts';
import type { AppUser, Login } from './app-user.ts';
import { emailTaken, phoneTaken } from './errors.ts';

interface Row extends Omit<AppUser, 'updatedAt'> {
  updatedAt: string;
}

const columns = sql`own.id, own.email, own.role, own.email_verified, own.phone, own.data, own.claims,
  own.is_suspended AS "isSuspended", own.updated_at AS "updatedAt"`;

function toUser(row: Row): AppUser {
  return { ...row, updatedAt: Number(row.updatedAt) };
}

/** How many rows share a project's count of users; they come into being with use. */
const countSlots = 8;

/** Inserts a user with password and count, all at once. False: the e-mail is taken. */
export async function insertUser(
  db: ProjectDb,
  user: AppUser,
  secrets: { emailKey: string; passwordHash: string | null },
): Promise<boolean> {
  const rows = await db.query(sql`
    WITH new AS (
      INSERT INTO cell.app_users (project_id, id, email, email_key, role, email_verified, data, updated_at)
      VALUES (${db.scope}, ${user.id}, ${user.email}, ${secrets.emailKey}, ${user.role}, ${user.email_verified},
        ${JSON.stringify(user.data)}::jsonb, ${user.updatedAt})
      ON CONFLICT (project_id, email_key) DO NOTHING
      RETURNING id
    ), secret AS (
      INSERT INTO cell.app_user_secrets (project_id, user_id, password_hash)
      SELECT ${db.scope}, id, ${secrets.passwordHash}::text FROM new
    ), counted AS (
      INSERT INTO cell.app_user_counts AS counts (project_id, slot, users)
      SELECT ${db.scope}, pg_backend_pid() % ${countSlots}::int, 1 FROM new
      ON CONFLICT (project_id, slot) DO UPDATE SET users = counts.users + 1
    )
    SELECT id FROM new`);
  return rows.length === 1;
}

export async function findUser(db: ProjectDb, id: string): Promise<AppUser | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND own.id = ${id}::uuid`,
    'app-users.find',
  );
  return row && toUser(row);
}

export async function findUsers(db: ProjectDb, ids: readonly string[]): Promise<AppUser[]> {
  const rows = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND own.id = ANY (${ids}::uuid[])`,
    'app-users.find-several',
  );
  return rows.map(toUser);
}

/** The user of a session that has neither ended nor expired, unless suspended. */
export async function findUserOfSession(db: ProjectDb, session: SessionOfUser): Promise<AppUser | undefined> {
  const [row] = await db.together<SessionOfUser, Row & MemberRow>(usersOfSessions, session);
  if (!row) return undefined;
  const { member: _, ...user } = row;
  return toUser(user);
}

interface SessionOfUser {
  readonly sessionId: string;
  readonly userId: string;
}

/** Every call of a signed-in user asks for it: those of one moment ask together. */
const usersOfSessions: SharedStatement<SessionOfUser> = {
  name: 'app-users.of-sessions',
  sql: (members) => sql`SELECT member, own.* FROM ROWS FROM (
        unnest(${plainArray(members.map(({ projectId }) => projectId))}::bigint[]),
        unnest(${plainArray(members.map(({ item }) => item.sessionId))}::uuid[]),
        unnest(${plainArray(members.map(({ item }) => item.userId))}::uuid[]))
      WITH ORDINALITY AS asked (project_id, session_id, user_id, member)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM cell.sessions JOIN cell.app_users AS own
        ON own.project_id = sessions.project_id AND own.id = sessions.user_id
      WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id
        AND sessions.user_id = asked.user_id AND sessions.expires_at > now() AND NOT own.is_suspended
      LIMIT 1) AS own`,
};

export async function findLogin(db: ProjectDb, emailKey: string): Promise<Login | undefined> {
  const [row] = await db.query<Row & { passwordHash: string | null }>(
    sql`SELECT ${columns}, secrets.password_hash AS "passwordHash"
      FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
        ON secrets.project_id = own.project_id AND secrets.user_id = own.id
      WHERE own.project_id = ${db.scope} AND own.email_key = ${emailKey}`,
    'app-users.find-login',
  );
  if (!row) return undefined;
  const { passwordHash, ...user } = row;
  return { user: toUser(user), passwordHash, method: 'password' };
}

/** The hash of the user's password; null: it has none; undefined: there is no such user. */
export async function findPasswordHash(db: ProjectDb, id: string): Promise<string | null | undefined> {
  const [row] = await db.query<{ hash: string | null }>(sql`
    SELECT password_hash AS hash FROM cell.app_user_secrets WHERE project_id = ${db.scope} AND user_id = ${id}::uuid`);
  return row?.hash;
}

export async function lockUser(db: ProjectDb, id: string): Promise<AppUser | undefined> {
  const [row] = await db.query<Row>(sql`
    SELECT ${columns} FROM cell.app_users AS own
    WHERE own.project_id = ${db.scope} AND own.id = ${id}::uuid FOR NO KEY UPDATE`);
  return row && toUser(row);
}

/** Writes a user that the transaction has locked. */
export async function saveUser(db: ProjectDb, user: AppUser, emailKey: string): Promise<void> {
  try {
    await db.query(sql`
      UPDATE cell.app_users SET email = ${user.email}, email_key = ${emailKey}, role = ${user.role},
        email_verified = ${user.email_verified}, phone = ${user.phone}, data = ${JSON.stringify(user.data)}::jsonb,
        claims = ${JSON.stringify(user.claims)}::jsonb, is_suspended = ${user.isSuspended}, updated_at = ${user.updatedAt}
      WHERE project_id = ${db.scope} AND id = ${user.id}::uuid`);
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === 'app_users_project_id_email_key_key') throw emailTaken();
    if (constraint === 'app_users_phone') throw phoneTaken();
    throw error;
  }
}

/** Whether a user has a password; until the end of the transaction its ways to log in are nobody else's to change. */
export async function lockLoginWays(db: ProjectDb, userId: string): Promise<{ hasPassword: boolean }> {
  const [row] = await db.query<{ hasPassword: boolean }>(sql`
    SELECT secrets.password_hash IS NOT NULL AS "hasPassword"
    FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
      ON secrets.project_id = own.project_id AND secrets.user_id = own.id
    WHERE own.project_id = ${db.scope} AND own.id = ${userId}::uuid FOR NO KEY UPDATE`);
  return row ?? { hasPassword: false };
}

export async function savePassword(db: ProjectDb, id: string, passwordHash: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.app_user_secrets SET password_hash = ${passwordHash}
    WHERE project_id = ${db.scope} AND user_id = ${id}::uuid`);
}

/** Sets a password in the place of the one that was checked. False: it was changed meanwhile. */
export async function replacePassword(
  db: ProjectDb,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_user_secrets SET password_hash = ${to}
    WHERE project_id = ${db.scope} AND user_id = ${id}::uuid AND password_hash = ${from} RETURNING true`);
  return rows.length === 1;
}

export async function removeUser(db: ProjectDb, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    WITH removed AS (
      DELETE FROM cell.app_users WHERE project_id = ${db.scope} AND id = ${id}::uuid RETURNING id
    ), secret AS (
      DELETE FROM cell.app_user_secrets WHERE project_id = ${db.scope} AND user_id = ${id}::uuid
    ), signed_in AS (
      DELETE FROM cell.sessions WHERE project_id = ${db.scope} AND user_id = ${id}::uuid
    ), counted AS (
      INSERT INTO cell.app_user_counts AS counts (project_id, slot, users)
      SELECT ${db.scope}, pg_backend_pid() % ${countSlots}::int, -1 FROM removed
      ON CONFLICT (project_id, slot) DO UPDATE SET users = counts.users - 1
    )
    SELECT id FROM removed`);
  return rows.length === 1;
}

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly passwordHash: string | null;
  readonly expiresAt: Date;
  readonly method: string;
  readonly userAgent: string;
  readonly address: string;
}

/**
 * Starts a session. False: since the password was checked it was changed, or the user suspended or removed; what ends all
 * sessions of a user locks the same rows, so that none slips past it.
 */
export async function insertSession(db: ProjectDb, session: NewSession): Promise<boolean> {
  const rows = await db.query(
    sql`INSERT INTO cell.sessions (project_id, id, user_id, expires_at, method, user_agent, address)
      SELECT own.project_id, ${session.id}, own.id, ${session.expiresAt}, ${session.method}, ${session.userAgent},
        ${session.address}
      FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
        ON secrets.project_id = own.project_id AND secrets.user_id = own.id
      WHERE own.project_id = ${db.scope} AND own.id = ${session.userId}::uuid AND NOT own.is_suspended
        AND secrets.password_hash IS NOT DISTINCT FROM ${session.passwordHash}::text
      FOR SHARE OF own, secrets
      RETURNING true`,
    'app-users.insert-session',
  );
  return rows.length === 1;
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

export interface StoredSession {
  readonly id: string;
  readonly method: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session that is still good: when it ends, and how long ago it began. */
export async function findSession(
  db: ProjectDb,
  id: string,
): Promise<{ expiresAt: Date; ageS: number } | undefined> {
  const [row] = await db.query<{ expiresAt: Date; ageS: number }>(sql`
    SELECT expires_at AS "expiresAt", extract(epoch FROM now() - created_at)::float8 AS "ageS" FROM cell.sessions
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND expires_at > now()`);
  return row;
}

/** What one person can have looked through; the rest are older. */
const listedSessions = 100;

export async function listSessions(db: ProjectDb, userId: string): Promise<StoredSession[]> {
  return db.query<StoredSession & Record<string, unknown>>(sql`
    SELECT id, method, user_agent AS "userAgent", address, created_at AS "createdAt", expires_at AS "expiresAt"
    FROM cell.sessions WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND expires_at > now()
    ORDER BY created_at DESC, id LIMIT ${listedSessions}`);
}

export async function findUserByPhone(db: ProjectDb, phone: string): Promise<AppUser | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND own.phone = ${phone}`,
  );
  return row && toUser(row);
}

export async function endSessionsOf(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`DELETE FROM cell.sessions WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

export async function listUsers(
  db: ProjectDb,
  page: { where: Sql; orderBy: Sql; sortColumns: Sql; limit: number; offset: number },
): Promise<{ user: AppUser; sortValues: unknown[] }[]> {
  const rows = await db.query<Row & { sort_values?: string }>(sql`
    SELECT ${columns}${page.sortColumns} FROM cell.app_users AS own
    WHERE own.project_id = ${db.scope} AND ${page.where}
    ORDER BY ${page.orderBy} LIMIT ${page.limit} OFFSET ${page.offset}`);
  return rows.map(({ sort_values: sortValues = '[]', ...row }) => ({
    user: toUser(row),
    sortValues: JSON.parse(sortValues) as unknown[],
  }));
}

export async function countUsers(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    sql`SELECT coalesce(sum(users), 0) AS count FROM cell.app_user_counts WHERE project_id = ${db.scope}`,
  );
  return Number(row!.count);
}

export async function countMatchingUsers(
  db: ProjectDb,
  matching: readonly Sql[],
  upTo: number | null,
): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM (
      SELECT FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND (${join(matching, ' OR ')}) LIMIT ${upTo}) AS matching`);
  return Number(row!.count);
}
