import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { documentCounts } from '../collections/index.ts';
import type { Durations } from './durations.ts';
import type { Shape } from './shape.ts';

/** What is kept of a shape. */
export interface StoredShape {
  readonly shape: Shape;
  readonly calls: number;
  /** Of the latest calls. */
  readonly durations: Durations;
  /** How many documents the collection had when the shape was last seen. */
  readonly documents: number;
  readonly seenAt: Date;
}

export interface SeenShape {
  readonly collection: number;
  readonly shape: Shape;
  /** SHA-256 of the shape, hexadecimal. */
  readonly hash: string;
  readonly calls: number;
  readonly durations: Durations;
  /** Worth keeping only if the collection has as many documents. */
  readonly fromDocuments: number;
}

/** Nobody can fill the table by making up shapes. */
const mostShapes = 200;

/** From so many calls on, older durations are halved whenever new ones are added: they tell of the latest calls. */
const freshCalls = 500;

/**
 * Adds what was seen in collections that are still there; a collection that has as many shapes as it may gets no new ones.
 * Says which shapes were kept, how often they were seen, and how many documents their collections have.
 */
export async function saveShapes(
  db: ProjectDb,
  seen: readonly SeenShape[],
): Promise<{ collection: number; hash: string; calls: number; documents: number }[]> {
  const numbers = [...new Set(seen.map(({ collection }) => collection))];
  const rows = await db.query<{ collection: number; hash: string; calls: string; documents: string }>(
    sql`WITH counts AS (
      ${documentCounts(db, numbers)}
    ), known AS (
      SELECT collection, hash FROM cell.query_shapes
      WHERE project_id = ${db.scope} AND collection = ANY (${numbers}::int[])
    ), seen AS (
      SELECT given.collection, decode(given.hash, 'hex') AS hash, given.shape, given.calls, given.durations, counts.documents
      FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS given
        (collection int, hash text, shape jsonb, calls bigint, durations bigint[], "fromDocuments" bigint)
      JOIN counts ON counts.collection = given.collection AND counts.documents >= given."fromDocuments"
    ), ranked AS (
      SELECT seen.*, known.hash IS NOT NULL AS is_known, row_number() OVER (
          PARTITION BY seen.collection, known.hash IS NULL ORDER BY seen.calls DESC, seen.hash)
        + (SELECT count(*) FROM known AS other WHERE other.collection = seen.collection) AS place
      FROM seen LEFT JOIN known USING (collection, hash)
    )
    INSERT INTO cell.query_shapes AS kept (project_id, collection, hash, shape, calls, durations, documents)
    SELECT ${db.scope}, collection, hash, shape, calls, durations, documents FROM ranked
    WHERE is_known OR place <= ${mostShapes}
    -- In one order, so that nodes do not wait for one another in a circle.
    ORDER BY collection, hash
    ON CONFLICT (project_id, collection, hash) DO UPDATE SET
      calls = kept.calls + excluded.calls,
      durations = (
        SELECT array_agg(now + before / CASE WHEN kept_calls > ${freshCalls} THEN 2 ELSE 1 END ORDER BY at)
        FROM unnest(excluded.durations, kept.durations) WITH ORDINALITY AS both_of (now, before, at),
          (SELECT sum(count) AS kept_calls FROM unnest(kept.durations) AS count) AS total),
      documents = excluded.documents, seen_at = now()
    RETURNING collection, encode(hash, 'hex') AS hash, calls, documents`,
    'indexes.save-shapes',
  );
  return rows.map((row) => ({ ...row, calls: Number(row.calls), documents: Number(row.documents) }));
}

/** The shapes of a collection, those with most calls first. */
export async function listShapes(db: ProjectDb, collection: number, limit: number): Promise<StoredShape[]> {
  const rows = await db.query<{
    shape: Shape;
    calls: string;
    durations: string[];
    documents: string;
    seenAt: Date;
  }>(sql`
    SELECT shape, calls, durations, documents, seen_at AS "seenAt" FROM cell.query_shapes
    WHERE project_id = ${db.scope} AND collection = ${collection} ORDER BY calls DESC, hash LIMIT ${limit}`);
  return rows.map((row) => ({
    ...row,
    calls: Number(row.calls),
    durations: row.durations.map(Number),
    documents: Number(row.documents),
  }));
}

/** Forgets how long queries took: with a new index that says nothing about how long they take from now on. */
export async function forgetDurations(db: ProjectDb, collection: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.query_shapes SET durations = array_fill(0::bigint, ARRAY[cardinality(durations)])
    WHERE project_id = ${db.scope} AND collection = ${collection}`);
}
