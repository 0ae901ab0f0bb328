import type { Pool } from 'pg';
import { newId, timeOfId } from '../../../src/platform/ids.ts';

/** Documents that are there before anybody writes: one for each millisecond, and every writer owns some of them. */
export interface Base {
  readonly count: number;
  readonly writers: number;
  readonly startMs: number;
  /** How all of their ids end. */
  readonly suffix: string;
}

/** What a collection is called inside of the database. */
export interface Located {
  readonly projectId: string;
  readonly number: number;
}

const longAgoMs = 60_000;
const atOnce = 100_000;
const text =
  'The quick brown fox jumps over the lazy dog, again and again, until the dog gets up and walks away to a quieter place. '.repeat(
    2,
  );

export function planBase({ number }: Located, count: number, writers: number): Base {
  return { count, writers, startMs: Date.now() - count - longAgoMs, suffix: newId(number).slice(13) };
}

/** The id of a document by its place. */
export function baseId({ startMs, suffix }: Base, at: number): string {
  const time = (startMs + at).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${suffix}`;
}

/** The place of a document by its id; undefined: it was made later. */
export function placeInBase(base: Base, id: string): number | undefined {
  const at = timeOfId(id) - base.startMs;
  return at >= 0 && at < base.count && id === baseId(base, at) ? at : undefined;
}

/** The fields of a new document. */
export function firstFields(n: number, writer: number) {
  return { n, writer, rev: 0, counter: 0, status: ['open', 'closed', 'draft'][n % 3]!, text };
}

/** Puts the documents into a collection that is empty and in the shared table, counted. */
export async function insertBase(pool: Pool, { projectId, number }: Located, base: Base): Promise<void> {
  for (let from = 0; from < base.count; from += atOnce) {
    const to = Math.min(from + atOnce, base.count);
    await pool.query(
      `WITH counted AS (
        UPDATE cell.document_counts SET documents = documents + $8 - $7
        WHERE project_id = $1 AND collection = $2 AND slot = 0)
      INSERT INTO cell.documents (project_id, collection, id, updated_at, data)
      SELECT $1, $2, (left(time, 8) || '-' || substr(time, 9) || $3)::uuid, $4::bigint + at,
        jsonb_build_object('n', at, 'writer', at % $5::bigint, 'rev', 0, 'counter', 0,
          'status', (ARRAY['open', 'closed', 'draft'])[1 + at % 3], 'text', $6::text)
      FROM generate_series($7::bigint, $8::bigint - 1) AS at,
        LATERAL (SELECT lpad(to_hex($4::bigint + at), 12, '0') AS time) AS made`,
      [projectId, number, base.suffix, base.startMs, base.writers, text, from, to],
    );
  }
}
