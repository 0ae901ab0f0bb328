import { join, raw, Sql, sql } from './sql.ts';

/**
 * One statement for several of the same text, each row of which says in `member` whose it is, counted from 1; undefined
 * if there is none, because values differ whose type the text does not name.
 */
export function mergeAlike(statements: readonly Sql[]): Sql | undefined {
  const [first] = statements as readonly [Sql];
  const places = first.values.flatMap((value, at) =>
    statements.every(({ values }) => isSame(values[at], value)) ? [] : [at],
  );
  const types = new Map(places.map((at) => [at, castAfter.exec(first.strings[at + 1]!)?.[1]]));
  if ([...types.values()].includes(undefined)) return undefined;
  const columns = ['member', ...places.map((at) => `p${at}`)].join(', ');
  const rows = statements.map(({ values }, n) => {
    const given = places.map((at) => sql`, ${values[at]}::${raw(types.get(at)!)}`);
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
