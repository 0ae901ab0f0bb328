import { DatabaseError } from 'pg';
import { budgets } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { MemberRow, SharedStatement } from '../../../platform/db/shared-statements.ts';
import { join, plainArray, type Sql, sql } from '../../../platform/db/sql.ts';
import { type CountedRow, isCut, withinBytes } from '../../../platform/db/within-bytes.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { emailTaken, phoneTaken } from './errors.ts';
import type { AppUser } from './user-record.ts';

export interface UserRow extends Omit<AppUser, 'updatedAt'> {
  updatedAt: string;
}

export const userColumns = sql`own.id, own.email, own.role, own.email_verified, own.phone, own.data, own.claims,
  own.is_suspended AS "isSuspended", own.updated_at AS "updatedAt"`;

/** The same, with `data` as text: what is long is measured before it is read. */
const userTexts = sql`own.id, own.email, own.role, own.email_verified, own.phone, own.data::text AS data, own.claims,
  own.is_suspended AS "isSuspended", own.updated_at AS "updatedAt"`;

interface UserTexts extends Omit<UserRow, 'data'>, CountedRow {
  data: string;
}

function fromTexts({ is_followed: _followed, before: _before, data, ...row }: UserTexts): AppUser {
  return toUser({ ...row, data: parseJsonText(data) as UserRow['data'] });
}

export function toUser(row: UserRow): AppUser {
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
  const insert = db.query(sql`
    WITH new AS (
      INSERT INTO cell.app_users (project_id, id, email, email_key, role, email_verified, phone, data, claims,
        is_suspended, updated_at)
      VALUES (${db.scope}, ${user.id}, ${user.email}, ${secrets.emailKey}, ${user.role}, ${user.email_verified},
        ${user.phone}, ${JSON.stringify(user.data)}::jsonb, ${JSON.stringify(user.claims)}::jsonb,
        ${user.isSuspended}, ${user.updatedAt})
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
  return (await insert.catch(refuseTaken)).length === 1;
}

export async function findUser(db: ProjectDb, id: string): Promise<AppUser | undefined> {
  const [row] = await db.query<UserRow>(
    sql`SELECT ${userColumns} FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND own.id = ${id}::uuid`,
    'app-users.find',
  );
  return row && toUser(row);
}

/** Users by their ids, as long as they have so many bytes together. */
export async function findUsers(db: ProjectDb, ids: readonly string[], bytes: number): Promise<AppUser[]> {
  const found = sql`SELECT ${userTexts} FROM cell.app_users AS own
    WHERE own.project_id = ${db.scope} AND own.id = ANY (${ids}::uuid[])`;
  const rows = await db.query<UserTexts>(withinBytes(found, bytes));
  return rows.map(fromTexts);
}

/** The user of a session that has neither ended nor expired, unless suspended. */
export async function findUserOfSession(db: ProjectDb, session: SessionOfUser): Promise<Caller | undefined> {
  const [row] = await db.together<SessionOfUser, Caller & MemberRow>(usersOfSessions, session);
  if (!row) return undefined;
  const { member: _, ...user } = row;
  return user;
}

type Caller = Pick<AppUser, 'id' | 'email' | 'role' | 'email_verified'>;

/** The rest of a user, which may be long. One who is gone has nothing. */
export async function findProfile(db: ProjectDb, id: string): Promise<Pick<AppUser, 'data' | 'claims'>> {
  const [row] = await db.query<Pick<AppUser, 'data' | 'claims'>>(
    sql`SELECT own.data, own.claims FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND own.id = ${id}::uuid`,
    'app-users.profile',
  );
  return row ?? { data: {}, claims: {} };
}

interface SessionOfUser {
  readonly sessionId: string;
  readonly userId: string;
}

/**
 * Every call of a signed-in user asks for it, so session and user are read by one statement, and those who ask at the
 * same moment share it. What may be long is left out: one would wait for what another keeps.
 */
const usersOfSessions: SharedStatement<SessionOfUser> = {
  name: 'app-users.of-sessions',
  isRead: true,
  sql: (members) => sql`SELECT member, own.* FROM ROWS FROM (
        unnest(${plainArray(members.map(({ projectId }) => projectId))}::bigint[]),
        unnest(${plainArray(members.map(({ item }) => item.sessionId))}::uuid[]),
        unnest(${plainArray(members.map(({ item }) => item.userId))}::uuid[]))
      WITH ORDINALITY AS asked (project_id, session_id, user_id, member)
    CROSS JOIN LATERAL (
      SELECT own.id, own.email, own.role, own.email_verified FROM cell.sessions JOIN cell.app_users AS own
        ON own.project_id = sessions.project_id AND own.id = sessions.user_id
      WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id
        AND sessions.user_id = asked.user_id AND sessions.expires_at > now() AND NOT own.is_suspended
      LIMIT 1) AS own`,
};

export async function lockUser(db: ProjectDb, id: string): Promise<AppUser | undefined> {
  const [row] = await db.query<UserRow>(sql`
    SELECT ${userColumns} FROM cell.app_users AS own
    WHERE own.project_id = ${db.scope} AND own.id = ${id}::uuid FOR NO KEY UPDATE`);
  return row && toUser(row);
}

/** Keeps a user's address as it is until the end of the transaction. False: it is not that one, or not verified. */
export async function lockVerifiedEmail(db: ProjectDb, userId: string, emailKey: string): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT true FROM cell.app_users AS own
    WHERE own.project_id = ${db.scope} AND own.id = ${userId}::uuid AND own.email_key = ${emailKey} AND own.email_verified
    FOR SHARE`);
  return rows.length === 1;
}

/** Writes a user that the transaction has locked. */
export async function saveUser(db: ProjectDb, user: AppUser, emailKey: string): Promise<void> {
  await db
    .query(
      sql`UPDATE cell.app_users SET email = ${user.email}, email_key = ${emailKey}, role = ${user.role},
        email_verified = ${user.email_verified}, phone = ${user.phone}, data = ${JSON.stringify(user.data)}::jsonb,
        claims = ${JSON.stringify(user.claims)}::jsonb, is_suspended = ${user.isSuspended}, updated_at = ${user.updatedAt}
      WHERE project_id = ${db.scope} AND id = ${user.id}::uuid`,
    )
    .catch(refuseTaken);
}

/** Words the failure of a write that gives a user what another has. */
function refuseTaken(error: unknown): never {
  const constraint = error instanceof DatabaseError ? error.constraint : undefined;
  if (constraint === 'app_users_project_id_email_key_key') throw emailTaken();
  if (constraint === 'app_users_phone') throw phoneTaken();
  throw error;
}

/** Removes a user with its secrets. False: there is none. Its sessions are for the caller to end. */
export async function removeUser(db: ProjectDb, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    WITH removed AS (
      DELETE FROM cell.app_users WHERE project_id = ${db.scope} AND id = ${id}::uuid RETURNING id
    ), secret AS (
      DELETE FROM cell.app_user_secrets WHERE project_id = ${db.scope} AND user_id = ${id}::uuid
    ), counted AS (
      INSERT INTO cell.app_user_counts AS counts (project_id, slot, users)
      SELECT ${db.scope}, pg_backend_pid() % ${countSlots}::int, -1 FROM removed
      ON CONFLICT (project_id, slot) DO UPDATE SET users = counts.users - 1
    )
    SELECT id FROM removed`);
  return rows.length === 1;
}

export async function findUserByPhone(db: ProjectDb, phone: string): Promise<AppUser | undefined> {
  const [row] = await db.query<UserRow>(
    sql`SELECT ${userColumns} FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND own.phone = ${phone}`,
  );
  return row && toUser(row);
}

export async function listUsers(
  db: ProjectDb,
  page: { where: Sql; orderBy: Sql; sortColumns: Sql; limit: number; offset: number },
): Promise<{ users: { user: AppUser; sortValues: unknown[] }[]; isCut: boolean }> {
  const users = sql`SELECT ${userTexts}${page.sortColumns} FROM cell.app_users AS own
    WHERE own.project_id = ${db.scope} AND ${page.where}
    ORDER BY ${page.orderBy} LIMIT ${page.limit} OFFSET ${page.offset}`;
  const rows = await db.query<UserTexts & { sort_values?: string }>(withinBytes(users, budgets.answerBytes));
  const found = rows.map(({ sort_values: json = '[]', ...row }) => {
    const sortValues: unknown[] = JSON.parse(json);
    return { user: fromTexts(row), sortValues };
  });
  return { users: found, isCut: isCut(rows) };
}

export async function countUsers(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    sql`SELECT coalesce(sum(users), 0) AS count FROM cell.app_user_counts WHERE project_id = ${db.scope}`,
  );
  return Number(row?.count ?? 0);
}

export async function countMatchingUsers(
  db: ProjectDb,
  matching: readonly Sql[],
  upTo: number | null,
): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM (
      SELECT FROM cell.app_users AS own WHERE own.project_id = ${db.scope} AND (${join(matching, ' OR ')}) LIMIT ${upTo}) AS matching`);
  return Number(row?.count ?? 0);
}
