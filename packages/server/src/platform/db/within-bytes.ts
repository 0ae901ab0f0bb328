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

/** Between the columns of rows that travel as one text. JSON as PostgreSQL writes it holds no control characters. */
export const columnMark = '\u0001';

/**
 * The rows as one text, since each row by itself costs more to send and to read than what is in it: the columns that are
 * named. Null if a text `data` has more than so many bytes: unlike adding them up, to see
 * this costs nothing.
 */
export function asOneText(rows: Sql, columns: Sql, bytes: number): Sql {
  return sql`SELECT CASE WHEN count(*) = count(text) THEN coalesce(string_agg(text, chr(1)), '') END AS text
    FROM (
      SELECT CASE WHEN octet_length(data) <= ${raw(String(bytes))} THEN concat_ws(chr(1), ${columns}) END AS text
      FROM (${rows}) AS rows) AS texts`;
}
