import { raw, type Sql, sql } from './sql.ts';

/**
 * The first of some rows, in their order, whose texts `data` have so many bytes together; the one that goes past it is the
 * last. PostgreSQL counts, so that the node never holds more than that. Each row says in `is_followed` whether there was
 * another after it.
 */
export function withinBytes(rows: Sql, bytes: number): Sql {
  // One window for both: PostgreSQL goes through the rows once, and looks no further ahead than the next.
  return sql`SELECT * FROM (
      SELECT *, lead(true) OVER counted AS is_followed,
        coalesce(sum(octet_length(data)) OVER counted - octet_length(data), 0) AS before
      FROM (${rows}) AS rows WINDOW counted AS (ROWS UNBOUNDED PRECEDING)) AS rows
    WHERE before < ${raw(String(bytes))}`;
}

export interface CountedRow {
  readonly is_followed: true | null;
  readonly before: string;
}

/** Were there more rows than fitted? */
export function isCut(rows: readonly CountedRow[]): boolean {
  return rows.at(-1)?.is_followed === true;
}

/**
 * The rows with the columns that are named, and with their texts `data` where these have no more than so many bytes, else
 * null. Unlike adding them up, this costs nothing.
 */
export function withShortTexts(rows: Sql, names: Sql, bytes: number): Sql {
  return sql`SELECT ${names}, CASE WHEN octet_length(data) <= ${raw(String(bytes))} THEN data END AS data
    FROM (${rows}) AS rows`;
}
