import { raw, type Sql, sql } from '../../platform/db/sql.ts';
import {
  type Collection,
  type CollectionIndex,
  type IndexField,
  ownTable,
  stepsOf,
} from '../collections/index.ts';

type Index = Pick<CollectionIndex, 'id' | 'kind' | 'fields'>;

/** What an index or statistics object of PostgreSQL is called, without its schema. */
export function objectName({ id, kind }: Pick<Index, 'id' | 'kind'>): string {
  return `${kind}_${id.replaceAll('-', '')}`;
}

/** Makes the object that serves an index. `trigrams` is the operator class of pg_trgm, wherever that is installed. */
export function createObject(collection: Collection, index: Index, trigrams: string): Sql {
  const table = ownTable(collection);
  const name = raw(objectName(index));
  if (index.kind === 'statistics')
    return sql`CREATE STATISTICS IF NOT EXISTS own.${name} ON (${keyExpression(index.fields[0]!)}) FROM ${table}`;
  if (index.kind === 'search') {
    const text = sql`cell.search_text(data${stepsOf(index.fields[0]!.path)})`;
    return sql`CREATE INDEX CONCURRENTLY ${name} ON ${table} USING gin ((${text}) ${raw(trigrams)})`;
  }
  const columns = sortColumns(index.fields).map(({ expression, isDescending }) =>
    isDescending ? `(${expression.text}) DESC` : `(${expression.text})`,
  );
  return sql`CREATE INDEX CONCURRENTLY ${name} ON ${table} (${raw(columns.join(', '))})`;
}

export function dropObject(index: Pick<Index, 'id' | 'kind'>): Sql {
  const name = raw(objectName(index));
  return index.kind === 'statistics'
    ? sql`DROP STATISTICS IF EXISTS own.${name}`
    : sql`DROP INDEX CONCURRENTLY IF EXISTS own.${name}`;
}

/** The columns of a sort index: its fields, and the id in the direction of the last, so that the order is total. */
function sortColumns(fields: readonly IndexField[]) {
  const last = fields.at(-1)!;
  const own = fields.filter(({ path }) => !isIdOrder(path[0]!));
  return [
    ...own.map((field) => ({ expression: keyExpression(field), isDescending: field.isDescending })),
    { expression: sql`id`, isDescending: last.isDescending },
  ];
}

/** Ids begin with the time of creation: an order by either is that of the id. */
function isIdOrder(name: string): boolean {
  return name === 'id' || name === 'createdAt';
}

/** What queries compare, letter for letter: see `valueOf` and `sortValue` of the query language. */
function keyExpression({ path }: IndexField): Sql {
  if (path.length === 1 && path[0] === 'updatedAt') return sql`updated_at`;
  return sql`cell.sort_key(data${stepsOf(path)})`;
}
