import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { lowestIdOf, timeOfId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { tableOf } from '../placement/index.ts';
import type { StoredDocument } from './document.ts';
import { fromEach, inCollection, type Row, toDocument } from './store.ts';

/** Stretches of time that are looked into. */
const stretches = 10;

/**
 * Some of the documents, of which there are `all`, from every time of the collection’s life: so many, as long as they have
 * so many bytes together.
 */
export async function sampleDocuments(
  db: ProjectDb,
  collection: Collection,
  { all, documents, bytes }: { all: number; documents: number; bytes: number },
): Promise<StoredDocument[]> {
  const begins = all <= documents ? [lowestIdOf(0)] : await findStretches(db, collection);
  const { tables, isComplete } = tableOf(collection);
  const each = Math.ceil(documents / Math.max(1, begins.length));
  const found = fromEach(
    tables,
    (table) => sql`SELECT found.* FROM unnest(${begins}::uuid[]) AS stretch (begins) CROSS JOIN LATERAL (
        SELECT own.id, own.version, own.updated_at, own.data, greatest(own.bytes, pg_column_size(own.data)) AS size
        FROM ${table} AS own
        WHERE ${inCollection(db, collection)} AND own.id >= stretch.begins AND ${isComplete}
        ORDER BY own.id LIMIT ${each}) AS found`,
  );
  // In no order of time, so that of large documents some of every time are taken. Only those are read that are.
  const rows = await db.query<Row>(sql`SELECT id, version, updated_at, data::text AS data FROM (
      SELECT *, sum(size) OVER (ORDER BY md5(id::text)) AS size_so_far
      FROM (SELECT DISTINCT ON (id) * FROM (${found}) AS found) AS found) AS found
    WHERE size_so_far <= ${bytes}`);
  return rows.map(toDocument);
}

/** Where each stretch between the oldest document and the newest one begins. */
async function findStretches(db: ProjectDb, collection: Collection): Promise<string[]> {
  const { tables, isComplete } = tableOf(collection);
  const ends = await db.query<{ id: string }>(
    fromEach(tables, (table) => {
      const own = sql`SELECT own.id FROM ${table} AS own WHERE ${inCollection(db, collection)} AND ${isComplete}`;
      return sql`(${own} ORDER BY own.id LIMIT 1) UNION ALL (${own} ORDER BY own.id DESC LIMIT 1)`;
    }),
  );
  const times = ends.map(({ id }) => timeOfId(id));
  const [from, to] = [Math.min(...times), Math.max(...times) + 1];
  return times.length === 0
    ? []
    : Array.from({ length: stretches }, (_, at) =>
        lowestIdOf(Math.floor(from + ((to - from) * at) / stretches)),
      );
}
