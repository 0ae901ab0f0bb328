import type { Path } from '@plinth/protocol';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import { tableOf } from '../placement/index.ts';

/** What statements on unique values are about. */
export interface Constraint {
  readonly collection: Collection;
  readonly indexes: readonly CollectionIndex[];
}

/** A document about to be stored. */
export interface SentDocument {
  readonly id: string;
  /** Its fields as JSON text. */
  readonly data: string;
  /** Its place in a batch. */
  readonly index?: number;
}

/** The values of documents about to be stored, as part of a statement: `index_id`, `hash`, `document` and `at`. */
export function valuesOfSent(indexes: readonly CollectionIndex[], documents: readonly SentDocument[]): Sql {
  return valuesOf(indexes, sent(documents));
}

/** The same for stored documents. */
export function valuesOfStored(
  db: ProjectDb,
  { collection, indexes }: Constraint,
  ids: readonly string[],
): Sql {
  return valuesOf(indexes, stored(db, collection, ids));
}

function sent(documents: readonly SentDocument[]): Sql {
  return sql`ROWS FROM (
    unnest(${documents.map(({ id }) => id)}::uuid[]),
    unnest(${documents.map(({ index }, at) => index ?? at)}::int[]),
    jsonb_array_elements(${`[${documents.map(({ data }) => data).join(',')}]`}::jsonb)) AS own (id, at, data)`;
}

export function stored(db: ProjectDb, collection: Collection, ids: readonly string[]): Sql {
  const found = tableOf(collection).tables.map(
    (table) => sql`SELECT id, 0 AS at, data FROM ${table}
      WHERE project_id = ${db.scope} AND collection = ${collection.number} AND id = ANY (${ids}::uuid[])`,
  );
  return sql`(${join(found, ' UNION ALL ')}) AS own`;
}

/** What documents hold in each index: nothing where a field is missing or null. */
function valuesOf(indexes: readonly CollectionIndex[], documents: Sql): Sql {
  const values = indexes.map((index) => {
    const fields = valuesAt(index);
    const isWhole = join(
      fields.map((field) => sql`${field} <> 'null'::jsonb`),
      ' AND ',
    );
    return sql`(${index.id}::uuid, CASE WHEN ${isWhole}
      THEN sha256(convert_to(jsonb_build_array(${join(fields, ', ')})::text, 'UTF8')) END)`;
  });
  return sql`SELECT value.index_id, value.hash, own.id AS document, own.at
    FROM ${documents} CROSS JOIN LATERAL (VALUES ${join(values, ', ')}) AS value (index_id, hash)
    WHERE value.hash IS NOT NULL`;
}

/** `->` with text enters objects only. */
export function valuesAt({ fields }: CollectionIndex): Sql[] {
  const step = (key: Path[number]) => sql` -> ${key}::text`;
  return fields.map(({ path }) => sql`(own.data${join(path.map(step), '')})`);
}
