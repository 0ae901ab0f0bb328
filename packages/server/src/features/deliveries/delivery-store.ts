import type { ProjectDb } from '../../platform/db/project-db.ts';
import { plainArray, type Sql, sql, textArray } from '../../platform/db/sql.ts';

/** Something that several may be told. */
export interface NewEvent {
  readonly id: string;
  readonly event: string;
  readonly payload: string;
  readonly depth: number;
  /** Who is told. */
  readonly lanes: readonly number[];
  /** Not before that; at once, unless it says so. */
  readonly dueAt?: Date;
}

/** Writes down what lanes are to be told. */
export async function insertDeliveries(db: ProjectDb, events: readonly NewEvent[]): Promise<void> {
  if (events.every(({ lanes }) => lanes.length === 0)) return;
  const done = sql`(SELECT ${db.scope}::bigint AS project_id, 1 AS member)`;
  await db.query(insertingDeliveries([events], done), 'deliveries.insert');
}

/**
 * The same for several calls, if their work is done: `done` has their `project_id` and their place, `member`, from 1.
 * Every payload travels once, however many want it.
 */
export function insertingDeliveries(members: readonly (readonly NewEvent[])[], done: Sql): Sql {
  const events = members.flatMap((own, at) => own.map((event) => ({ ...event, member: at + 1 })));
  const told = events.flatMap(({ lanes }, at) => lanes.map((lane) => ({ lane, at: at + 1 })));
  return sql`INSERT INTO cell.deliveries (project_id, lane, id, event, payload, bytes, depth, due_at)
      SELECT done.project_id, told.lane, given.id, given.event, given.payload::json, given.bytes, given.depth,
        coalesce(given.due_at, now())
      FROM unnest(${plainArray(told.map(({ lane }) => lane))}::int[], ${plainArray(told.map(({ at }) => at))}::int[])
        AS told (lane, at)
      JOIN ROWS FROM (
        unnest(${plainArray(events.map(({ member }) => member))}::int[]),
        unnest(${plainArray(events.map(({ id }) => id))}::uuid[]),
        unnest(${textArray(events.map(({ event }) => event))}::text[]),
        unnest(${textArray(events.map(({ payload }) => payload))}::text[]),
        unnest(${plainArray(events.map(({ payload }) => Buffer.byteLength(payload)))}::int[]),
        unnest(${plainArray(events.map(({ depth }) => depth))}::smallint[]),
        unnest(${textArray(events.map(({ dueAt }) => dueAt?.toISOString() ?? null))}::timestamptz[]))
        WITH ORDINALITY AS given (member, id, event, payload, bytes, depth, due_at, at) USING (at)
      JOIN ${done} AS done ON done.member = given.member
      ORDER BY told.at, told.lane`;
}

/** Whether a lane is still to be told something. */
export function isWaiting(projectId: Sql, lane: Sql): Sql {
  return sql`EXISTS (SELECT FROM cell.deliveries AS own WHERE own.project_id = ${projectId} AND own.lane = ${lane})`;
}
