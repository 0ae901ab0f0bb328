import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { MessageKind, MessageRecord, MessageStatus } from './message-record.ts';

const columns = sql`id, kind, template, receiver AS "to", status, attempts, last_error AS "lastError",
  created_at AS "createdAt", tried_at AS "triedAt", next_try_at AS "nextTryAt", expires_at AS "expiresAt"`;

type Row = MessageRecord & Record<string, unknown>;

/** Messages in the delivery log of a project, kept for 30 days; older ones are removed. @limit - */
const recordsPerProject = 10_000;

interface NewRecord {
  readonly id: string;
  readonly kind: MessageKind;
  readonly template: string;
  readonly to: string;
  readonly expiresAt: Date | null;
}

export async function insertRecord(db: ProjectDb, record: NewRecord): Promise<MessageRecord> {
  const [row] = await db.query<Row>(
    sql`INSERT INTO cell.messages (project_id, id, kind, template, receiver, expires_at)
      VALUES (${db.scope}, ${record.id}, ${record.kind}, ${record.template}, ${record.to}, ${record.expiresAt})
      RETURNING ${columns}`,
    'messages.insert',
  );
  if (!row) throw new Error('A message was not written down.');
  return row;
}

export async function findRecord(db: ProjectDb, id: string): Promise<MessageRecord | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.messages WHERE project_id = ${db.scope} AND id = ${id}::uuid`,
  );
  return row;
}

export interface RecordFilter {
  readonly status?: MessageStatus | undefined;
  /** Part of the address or number, whatever the case. */
  readonly to?: string | undefined;
  readonly before?: string | undefined;
}

/** The latest first. A project has a bounded number of them, so looking for a receiver reads no more than that. */
export async function listRecords(
  db: ProjectDb,
  { status, to, before }: RecordFilter,
  limit: number,
): Promise<MessageRecord[]> {
  const ofStatus = status === undefined ? sql`` : sql` AND status = ${status}`;
  const ofReceiver = to === undefined ? sql`` : sql` AND strpos(lower(receiver), lower(${to})) > 0`;
  const earlier = before === undefined ? sql`` : sql` AND id < ${before}::uuid`;
  return db.query<Row>(sql`
    SELECT ${columns} FROM cell.messages
    WHERE project_id = ${db.scope}${ofStatus}${ofReceiver}${earlier} ORDER BY id DESC LIMIT ${limit}`);
}

/** A message that was tried so often, and not taken, will hardly arrive by itself. */
const inTroubleAfter = 3;
const mostCounted = 1000;

/** How many messages of the last day have failed, or were refused again and again; a thousand stand for more. */
export async function countUnsentMessages(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM cell.messages
      WHERE project_id = ${db.scope} AND status IN ('failed', 'waiting')
        AND (status = 'failed' OR attempts >= ${inTroubleAfter}) AND created_at > now() - interval '1 day'
      LIMIT ${mostCounted}) AS unsent`);
  return row?.count ?? 0;
}

export async function noteSent(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.messages SET status = 'sent', attempts = attempts + 1, last_error = NULL, tried_at = now(),
      next_try_at = NULL
    WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

interface FailedTry {
  readonly id: string;
  readonly error: string;
  /** Without one it is given up. */
  readonly nextTryInS: number | undefined;
}

export async function noteFailure(db: ProjectDb, { id, error, nextTryInS }: FailedTry): Promise<void> {
  await db.query(sql`
    UPDATE cell.messages SET status = ${nextTryInS === undefined ? 'failed' : 'waiting'}, attempts = attempts + 1,
      last_error = ${error}, tried_at = now(), next_try_at = now() + ${nextTryInS ?? null}::float8 * interval '1 second'
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND status <> 'sent'`);
}

/** It was not sent in time; what was wrong at the last try stays. */
export async function noteExpired(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.messages SET status = 'failed', next_try_at = NULL,
      last_error = coalesce(last_error, 'It could not be sent before its link or code expired.')
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND status <> 'sent'`);
}

export async function noteRetry(db: ProjectDb, id: string): Promise<MessageRecord | undefined> {
  const [row] = await db.query<Row>(sql`
    UPDATE cell.messages SET status = 'waiting', next_try_at = now()
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND status <> 'sent' RETURNING ${columns}`);
  return row;
}

/** Forgets the oldest of a project that has too many. */
export async function trimRecords(db: ProjectDb): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.messages WHERE project_id = ${db.scope} AND id <= (
      SELECT id FROM cell.messages WHERE project_id = ${db.scope} ORDER BY id DESC
      OFFSET ${recordsPerProject} LIMIT 1)`);
}

/** Forgets what was sent to somebody. */
export async function forgetRecordsTo(db: ProjectDb, receivers: readonly string[]): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.messages WHERE project_id = ${db.scope}
      AND lower(receiver) = ANY (SELECT lower(one) FROM unnest(${receivers}::text[]) AS one)`);
}
