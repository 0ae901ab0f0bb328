import { join, raw, Sql, sql } from './sql.ts';

/**
 * One statement for several of the same text. Each row says in `member` which of them it answers, counted from 1.
 * Undefined if that cannot be done, because values differ whose type the text does not name.
 */
export function mergeAlike(statements: readonly Sql[]): Sql | undefined {
  const [first] = statements;
  if (!first) return undefined;
  /** The types of the values that differ, by their place in the statement. */
  const types = new Map<number, string>();
  for (const [at, value] of first.values.entries()) {
    if (statements.every(({ values }) => isSame(values[at], value))) continue;
    const type = castAfter.exec(first.strings[at + 1] ?? '')?.[1];
    if (type === undefined) return undefined;
    types.set(at, type);
  }
  const columns = ['member', ...Array.from(types.keys(), (at) => `p${at}`)].join(', ');
  const rows = statements.map(({ values }, n) => {
    const given = Array.from(types, ([at, type]) => sql`, ${values[at]}::${raw(type)}`);
    return sql`(${raw(String(n + 1))}${given.length > 0 ? join(given, '') : sql``})`;
  });
  const each = new Sql(
    first.strings,
    first.values.map((value, at) => (types.has(at) ? raw(`asked.p${at}`) : value)),
  );
  return sql`SELECT asked.member, found.*
    FROM (VALUES ${join(rows)}) AS asked (${raw(columns)}) CROSS JOIN LATERAL (${each}) AS found`;
}

const castAfter = /^::(\w+(?:\[\])?)/;

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b);
}
