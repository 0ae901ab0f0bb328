import type { Path } from '@plinth/protocol';
import type { Client } from 'pg';
import { run } from '../../../platform/db/pool.ts';
import { raw, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection, CollectionIndex, IndexField } from '../collections/index.ts';
import { isColumn, ownTable, placeOf, stepsOf } from '../placement/index.ts';

/*
 * What PostgreSQL calls an object: the index, or the statistics, that serve an index of ours. All of this needs a
 * connection without a time limit.
 */

type Index = Pick<CollectionIndex, 'id' | 'kind' | 'fields'>;
type Named = Pick<CollectionIndex, 'id' | 'kind'>;

/** Without its schema. */
function objectName({ id, kind }: Named): string {
  return `${kind}_${id.replaceAll('-', '')}`;
}

/** Is the object there? A broken one is what a node left half done. */
export async function findObjectState(
  connection: Client,
  index: Named,
): Promise<'missing' | 'broken' | 'whole'> {
  if (index.kind === 'statistics') return 'missing';
  const [row] = await run<{ isValid: boolean }>(
    connection,
    sql`SELECT indisvalid AS "isValid" FROM pg_index
      WHERE indexrelid = to_regclass(${`own.${objectName(index)}`})`,
  );
  if (!row) return 'missing';
  return row.isValid ? 'whole' : 'broken';
}

export async function createObject(connection: Client, collection: Collection, index: Index): Promise<void> {
  const trigrams = index.kind === 'search' ? await findTrigrams(connection) : '';
  await run(connection, creation(collection, index, trigrams));
}

function creation(collection: Collection, index: Index, trigrams: string): Sql {
  const table = ownTable(collection);
  const name = raw(objectName(index));
  if (index.kind === 'statistics')
    return sql`CREATE STATISTICS IF NOT EXISTS own.${name}
      ON (cell.sort_key(data${stepsOf(onlyField(index).path)})) FROM ${table}`;
  if (index.kind === 'search') {
    const text = sql`cell.search_text(data${stepsOf(onlyField(index).path)})`;
    return sql`CREATE INDEX CONCURRENTLY ${name} ON ${table} USING gin ((${text}) ${raw(trigrams)})`;
  }
  const columns = sortColumns(collection, index.fields).map(({ expression, isDescending }) =>
    isDescending ? `(${expression.text}) DESC` : `(${expression.text})`,
  );
  return sql`CREATE INDEX CONCURRENTLY ${name} ON ${table} (${raw(columns.join(', '))})`;
}

export async function dropObject(connection: Client, index: Named): Promise<void> {
  const name = raw(objectName(index));
  await run(
    connection,
    index.kind === 'statistics'
      ? sql`DROP STATISTICS IF EXISTS own.${name}`
      : sql`DROP INDEX CONCURRENTLY IF EXISTS own.${name}`,
  );
}

/** The operator class of pg_trgm. An operator may have installed the extension in any schema. */
async function findTrigrams(connection: Client): Promise<string> {
  const [row] = await run<{ name: string }>(
    connection,
    sql`SELECT format('%I.gin_trgm_ops', nspname) AS name
      FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'`,
  );
  if (!row) throw new Error('The extension pg_trgm is not installed in this database.');
  return row.name;
}

/** How often the values of a field occur in a sample of the documents. */
export async function sampleValues(
  connection: Client,
  collection: Collection,
  { field, documents }: { field: IndexField; documents: number },
): Promise<{ values: number; least: number; all: number }> {
  const table = ownTable(collection);
  const [row] = await run<{ values: number; least: number; all: number }>(
    connection,
    sql`WITH sample AS (
        SELECT cell.sort_key(data${stepsOf(field.path)}) AS key FROM ${table} TABLESAMPLE SYSTEM (
          (SELECT least(100, 100.0 * ${documents}::int / greatest(1, reltuples)) FROM pg_class
            WHERE oid = ${table.text}::regclass))
      ), counts AS (SELECT count(*) AS count FROM sample GROUP BY key)
      SELECT count(*)::int AS values, coalesce(min(count), 0)::int AS least, coalesce(sum(count), 0)::int AS all FROM counts`,
  );
  return row ?? { values: 0, least: 0, all: 0 };
}

function onlyField({ id, fields: [field] }: Index): IndexField {
  if (!field) throw new Error(`The index ${id} has no field.`);
  return field;
}

/** The columns of a sort index: its fields, and the id in the direction of the last, so that the order is total. */
function sortColumns(collection: Collection, fields: readonly IndexField[]) {
  const own = fields.filter(({ path: [first] }) => !isIdOrder(first));
  return [
    ...own.map(({ path, isDescending }) => ({ expression: keyExpression(collection, path), isDescending })),
    { expression: sql`id`, isDescending: fields.at(-1)?.isDescending ?? false },
  ];
}

/** Ids begin with the time of creation: an order by either is that of the id. */
function isIdOrder(name: string | undefined): boolean {
  return name === 'id' || name === 'createdAt';
}

/** What queries compare: see `keyOf` and `sortValue` of the query language. */
function keyExpression(collection: Collection, path: Path): Sql {
  if (isColumn(path)) return sql`updated_at`;
  const place = placeOf(collection, path);
  if (place === undefined)
    throw new Error(`The table of ${collection.id} does not hold the keys of an index.`);
  return sql`keys[${raw(String(place))}]`;
}
