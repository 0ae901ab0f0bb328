import type { ProjectDb } from '../../platform/db/project-db.ts';
import { plainArray, sql, textArray } from '../../platform/db/sql.ts';

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

/** Writes down what lanes are to be told. Every payload travels once, however many want it. */
export async function insertDeliveries(db: ProjectDb, events: readonly NewEvent[]): Promise<void> {
  const told = events.flatMap(({ lanes }, at) => lanes.map((lane) => ({ lane, at: at + 1 })));
  if (told.length === 0) return;
  await db.query(
    sql`INSERT INTO cell.deliveries (project_id, lane, id, event, payload, bytes, depth, due_at)
      SELECT ${db.scope}, told.lane, given.id, given.event, given.payload::json, given.bytes, given.depth,
        coalesce(given.due_at, now())
      FROM unnest(${plainArray(told.map(({ lane }) => lane))}::int[], ${plainArray(told.map(({ at }) => at))}::int[])
        AS told (lane, at)
      JOIN ROWS FROM (
        unnest(${plainArray(events.map(({ id }) => id))}::uuid[]),
        unnest(${textArray(events.map(({ event }) => event))}::text[]),
        unnest(${textArray(events.map(({ payload }) => payload))}::text[]),
        unnest(${plainArray(events.map(({ payload }) => Buffer.byteLength(payload)))}::int[]),
        unnest(${plainArray(events.map(({ depth }) => depth))}::smallint[]),
        unnest(${textArray(events.map(({ dueAt }) => dueAt?.toISOString() ?? null))}::timestamptz[]))
        WITH ORDINALITY AS given (id, event, payload, bytes, depth, due_at, at) USING (at)
      ORDER BY told.at, told.lane`,
    'deliveries.insert',
  );
}
