import { raw, type Sql, sql } from './sql.ts';

/**
 * The first of some rows, in their order, whose texts `data` have so many bytes together; the one that goes past it is the
 * last. PostgreSQL counts, so that the node never holds more than that. Each row says in `of` how many there were.
 */
export function withinBytes(rows: Sql, bytes: number): Sql {
  return sql`SELECT * FROM (
      SELECT *, count(*) OVER () AS of,
        coalesce(sum(octet_length(data)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (${rows}) AS rows) AS rows
    WHERE before < ${raw(String(bytes))}`;
}

export interface CountedRow {
  readonly of: string;
  readonly before: string;
}

/** Were there more rows than fitted? */
export function isCut(rows: readonly CountedRow[]): boolean {
  return rows.length < Number(rows[0]?.of ?? 0);
}
