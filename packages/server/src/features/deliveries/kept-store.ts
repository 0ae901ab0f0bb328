import type { ProjectDb } from '../../platform/db/project-db.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';

/*
 * What a lane has: what waits, what was delivered, and what is dead; and sending it again.
 */

export type DeliveryStatus = 'waiting' | 'delivered' | 'dead';

/** A delivery, in a list. */
export interface KeptDelivery {
  /** Where it is in the list. */
  readonly place: string;
  readonly id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** When it happened, or, if it was delivered, when that was. */
  readonly at: Date;
  /** When it is tried next. */
  readonly dueAt: Date | null;
  readonly error: string | null;
}

export interface KeptAttempt {
  readonly attempt: number;
  readonly at: Date;
  readonly isDelivered: boolean;
  readonly ms: number;
  readonly error: string | null;
  readonly note: Readonly<Record<string, unknown>> | null;
}

type Row = KeptDelivery & Record<string, unknown>;

const sources: Readonly<
  Record<DeliveryStatus, { readonly columns: Sql; readonly from: Sql; readonly order: Sql }>
> = {
  waiting: {
    columns: sql`seq AS place, id, coalesce(payload ->> 'type', event) AS type, 'waiting' AS status, attempts, created_at AS at,
      due_at AS "dueAt", last_error AS error`,
    from: sql`cell.deliveries`,
    order: sql`seq`,
  },
  dead: {
    columns: sql`seq AS place, id, coalesce(payload ->> 'type', event) AS type, 'dead' AS status, attempts, created_at AS at,
      NULL::timestamptz AS "dueAt", last_error AS error`,
    from: sql`cell.dead_deliveries`,
    order: sql`seq`,
  },
  delivered: {
    columns: sql`number AS place, id, coalesce(payload ->> 'type', event) AS type, 'delivered' AS status, attempt AS attempts, at,
      NULL::timestamptz AS "dueAt", error`,
    from: sql`cell.delivery_attempts`,
    order: sql`number`,
  },
};

const inLane = (db: ProjectDb, lane: number): Sql => sql`project_id = ${db.scope} AND lane = ${lane}`;
const ofStatus = (status: DeliveryStatus): Sql => (status === 'delivered' ? sql`is_delivered` : sql`true`);

/** A page of a lane, the newest first. */
export async function listKept(
  db: ProjectDb,
  lane: number,
  { status, before, limit }: { status: DeliveryStatus; before: string | undefined; limit: number },
): Promise<KeptDelivery[]> {
  const { columns, from, order } = sources[status];
  return db.query<Row>(sql`SELECT ${columns} FROM ${from} WHERE ${inLane(db, lane)} AND ${ofStatus(status)}
      AND ${order} < ${before ?? '9223372036854775807'}::bigint
    ORDER BY ${order} DESC LIMIT ${limit}`);
}

/** One delivery with what was to be told, wherever it is. */
export async function findKept(
  db: ProjectDb,
  lane: number,
  id: string,
): Promise<(KeptDelivery & { payload: string }) | undefined> {
  for (const status of ['waiting', 'dead', 'delivered'] as const) {
    const { columns, from, order } = sources[status];
    const [found] = await db.query<Row & { payload: string }>(sql`
      SELECT ${columns}, payload::text AS payload FROM ${from}
      WHERE ${inLane(db, lane)} AND id = ${id}::uuid AND ${ofStatus(status)} ORDER BY ${order} DESC LIMIT 1`);
    if (found) return found;
  }
  return undefined;
}

const listedAttempts = 50;

/** What was tried for one delivery, the latest first. */
export async function listAttempts(db: ProjectDb, lane: number, id: string): Promise<KeptAttempt[]> {
  return db.query<KeptAttempt & Record<string, unknown>>(sql`
    SELECT attempt, at, is_delivered AS "isDelivered", ms, error, note FROM cell.delivery_attempts
    WHERE ${inLane(db, lane)} AND id = ${id}::uuid ORDER BY number DESC LIMIT ${listedAttempts}`);
}

/** More than these are not counted. */
const countedUpTo = 1000;

/** How many wait, and how many are dead; counted up to a thousand. */
export async function countKept(db: ProjectDb, lane: number): Promise<{ waiting: number; dead: number }> {
  const some = (from: Sql) =>
    sql`(SELECT count(*)::int FROM (SELECT FROM ${from} WHERE ${inLane(db, lane)} LIMIT ${countedUpTo}) AS counted)`;
  const [row] = await db.query<{ waiting: number; dead: number }>(
    sql`SELECT ${some(sql`cell.deliveries`)} AS waiting, ${some(sql`cell.dead_deliveries`)} AS dead`,
  );
  return row!;
}

/** How a lane does. */
export interface LaneState {
  /** Counted up to a thousand, as the dead are. */
  readonly waiting: number;
  readonly dead: number;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  /** When something was tried last, of lanes that keep a log. */
  readonly lastAt: Date | null;
  readonly lastDelivered: boolean | null;
}

/** How the lanes of a kind do, by the names of their subscribers; or that of one. */
export async function listStates(
  db: ProjectDb,
  kind: string,
  name?: string,
): Promise<ReadonlyMap<string, LaneState>> {
  const isSame = sql`own.project_id = known.project_id AND own.lane = known.lane`;
  const some = (from: Sql) =>
    sql`(SELECT count(*)::int FROM (SELECT FROM ${from} AS own WHERE ${isSame} LIMIT ${countedUpTo}) AS counted)`;
  const rows = await db.query<LaneState & { name: string }>(sql`
    SELECT known.name, ${some(sql`cell.deliveries`)} AS waiting, ${some(sql`cell.dead_deliveries`)} AS dead,
      lanes.failing_since AS "failingSince", last.at AS "lastAt", last.is_delivered AS "lastDelivered",
      CASE WHEN lanes.paused_until > now() THEN lanes.paused_until END AS "pausedUntil"
    FROM cell.subscribers AS known LEFT JOIN cell.lanes USING (project_id, lane) LEFT JOIN LATERAL (
      SELECT at, is_delivered FROM cell.delivery_attempts AS own WHERE ${isSame} ORDER BY number DESC LIMIT 1
    ) AS last ON true
    WHERE known.project_id = ${db.scope} AND known.kind = ${kind}
      AND ${name === undefined ? sql`true` : sql`known.name = ${name}`}`);
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}

/** What is sent again: one, whatever became of it; what is dead; or what ended in a time. */
export type ReplayWish =
  | { readonly id: string }
  | { readonly dead: true }
  | { readonly since: Date; readonly until: Date };

/** Puts what has ended back into its lane, under the same ids; returns how many there were. */
export async function replayKept(db: ProjectDb, lane: number, wish: ReplayWish): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    WITH risen AS (
      DELETE FROM cell.dead_deliveries WHERE ${inLane(db, lane)} AND ${isAsked(wish, sql`created_at`)}
      RETURNING id, event, payload, bytes, depth
    ), again AS (
      SELECT DISTINCT ON (id) id, event, payload, octet_length(payload::text) AS bytes, 0::smallint AS depth
      FROM cell.delivery_attempts AS tried
      WHERE ${inLane(db, lane)} AND is_delivered AND ${'dead' in wish ? sql`false` : isAsked(wish, sql`at`)}
    ), added AS (
      INSERT INTO cell.deliveries (project_id, lane, id, event, payload, bytes, depth)
      SELECT ${db.scope}, ${lane}, ended.* FROM (SELECT * FROM risen UNION ALL SELECT * FROM again) AS ended
      WHERE NOT EXISTS (SELECT FROM cell.deliveries AS own WHERE own.project_id = ${db.scope} AND own.lane = ${lane}
        AND own.id = ended.id)
      RETURNING true
    ), hurried AS (
      UPDATE cell.deliveries SET due_at = now() WHERE ${inLane(db, lane)}
        AND ${'id' in wish ? sql`id = ${wish.id}::uuid` : sql`false`}
      RETURNING true
    )
    SELECT ((SELECT count(*) FROM added) + (SELECT count(*) FROM hurried))::int AS count`);
  return row?.count ?? 0;
}

function isAsked(wish: ReplayWish, at: Sql): Sql {
  if ('id' in wish) return sql`id = ${wish.id}::uuid`;
  return 'dead' in wish ? sql`true` : sql`${at} >= ${wish.since} AND ${at} < ${wish.until}`;
}
