import { join, raw, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Comparison, Target } from './checked-query.ts';

export const signs: Record<Comparison, Sql> = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

/** The columns of the row that a condition is about: an alias of documents or app users. */
export type Row = Sql;

/** A column as JSON; what has no column of that name is never asked for it. */
const columnValues = {
  id: sql`id::text`,
  createdAt: sql`id::text`,
  updatedAt: sql`updated_at`,
  email: sql`email`,
  role: sql`role`,
  phone: sql`phone`,
  email_verified: sql`email_verified`,
} as const;

const jsonColumns = { data: sql`data`, claims: sql`claims` } as const;

/**
 * The value at a target. `->` with text enters objects only. Keys are bound values, unless PostgreSQL knows the path:
 * then they are written as the index has them, so that every plan can use it.
 */
export function valueOf(target: Target, row: Row = sql`own`): Sql {
  if (target.kind === 'column') return sql`to_jsonb(${row}.${columnValues[target.column]})`;
  const steps =
    target.indexed?.steps ??
    join(
      target.path.map((key) => sql` -> ${key}::text`),
      '',
    );
  return sql`(${row}.${jsonColumns[target.column]}${steps})`;
}

/** What an index of sort keys holds for the target. */
export function keyOf(target: Target, row: Row = sql`own`): Sql {
  const place = target.kind === 'json' ? target.indexed?.place : undefined;
  return place === undefined ? sql`cell.sort_key(${valueOf(target, row)})` : storedKey(place, row);
}

/** A key in the column of stored keys, as indexes have it. */
export function storedKey(place: number, row: Row): Sql {
  return sql`${row}.keys[${raw(String(Math.trunc(place)))}]`;
}

/**
 * Has a value that is there a key of its own? All arrays and objects share one. Written so that PostgreSQL expects
 * nearly all to pass.
 */
export function isScalar(value: Sql): Sql {
  return sql`jsonb_typeof(${value}) <> ALL ('{array,object}')`;
}
