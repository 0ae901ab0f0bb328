import type { branchesOf } from '../../../src/features/data/query/branches.ts';
import type { compileValueTest } from '../../../src/features/data/query/compile-value-test.ts';
import type { cutKey, isLong } from '../../../src/features/data/query/scalars.ts';
import type { splitByIndex } from '../../../src/features/data/query/split-by-index.ts';
import { type Sql, sql } from '../../../src/platform/db/sql.ts';

type ValueTest = Parameters<typeof compileValueTest>;

/** Parts of the compiler that are exchanged for worse ones. */
export interface Planted {
  readonly cutKey?: typeof cutKey;
  readonly isLong?: typeof isLong;
  /** What a test on a path that has an index becomes. */
  readonly test?: (compiled: Sql, ...asked: ValueTest) => Sql;
  readonly parts?: (parts: NonNullable<ReturnType<typeof splitByIndex>>) => ReturnType<typeof splitByIndex>;
  readonly branches?: (branches: ReturnType<typeof branchesOf>) => ReturnType<typeof branchesOf>;
  /** Instead of a function of the database. */
  readonly statement?: string;
}

const units = (value: string, count: number) => value.slice(0, count).toWellFormed();

const sortKey = (cut: string) => `CREATE OR REPLACE FUNCTION cell.sort_key(value jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE coalesce(jsonb_typeof(value), 'null')
    WHEN 'null' THEN 'null'::jsonb WHEN 'array' THEN '{}'::jsonb WHEN 'object' THEN '{}'::jsonb
    WHEN 'string' THEN ${cut} ELSE value END`;

const searchText = (array: string) => `CREATE OR REPLACE FUNCTION cell.search_text(value jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN cell.fold(CASE jsonb_typeof(value) WHEN 'string' THEN value #>> '{}' WHEN 'array' THEN ${array} END)`;

const elements = `FROM jsonb_array_elements(value) AS element`;

/** Mistakes that whoever compiles to indexes can easily make. */
export const plantedBugs: Record<string, Planted> = {
  'what is behind the cut is not looked at': {
    cutKey: (value) =>
      typeof value === 'string'
        ? { key: Array.from(value).slice(0, 128).join(''), isCut: false }
        : { key: value, isCut: false },
  },
  'a text is cut by units of JavaScript': {
    cutKey: (value) =>
      typeof value === 'string' && value.length >= 128
        ? { key: units(value, 128), isCut: true }
        : { key: value, isCut: false },
  },
  'texts are cut shorter than keys are': {
    cutKey: (value) =>
      typeof value === 'string' && value.length >= 128
        ? { key: Array.from(value).slice(0, 127).join(''), isCut: true }
        : { key: value, isCut: false },
  },
  'a page by keys is taken as it is': { isLong: () => false },
  'only what is longer than 129 units is read again': {
    isLong: (value) => typeof value === 'string' && value.length > 130,
  },
  'comparing is strict at the key of the bound': {
    test: (compiled, target, { kind, ...test }, row) => {
      if (kind !== 'compare' || target.kind !== 'json' || !('to' in test)) return compiled;
      const key = sql`cell.sort_key((${row}.data${target.indexed!.steps}))`;
      return sql`(${compiled} AND ${key} <> cell.sort_key(${JSON.stringify(test.to)}::jsonb))`;
    },
  },
  'equality forgets arrays': {
    test: (compiled, target, { kind }, row) => {
      if (kind !== 'equals' || target.kind !== 'json') return compiled;
      return sql`(${compiled} AND cell.sort_key((${row}.data${target.indexed!.steps})) <> '{}'::jsonb)`;
    },
  },
  'a list of one key is left out of what is merged': { parts: (parts) => parts.slice(0, -1) },
  'lists of the same key are merged twice': { parts: (parts) => [...parts, ...parts.slice(0, 1)] },
  'what passes two branches of a choice comes twice': {
    branches: (branches) =>
      branches.map((branch) =>
        branch.kind === 'and' ? { ...branch, of: branch.of.filter(({ kind }) => kind !== 'not') } : branch,
      ),
  },
  'missing is not null': {
    test: (compiled, target, { kind }, row) => {
      if (kind !== 'isnull' || target.kind !== 'json') return compiled;
      return sql`(${compiled} AND (${row}.data${target.indexed!.steps}) IS NOT NULL)`;
    },
  },
  'keys are cut at 127': { statement: sortKey(`to_jsonb(left(value #>> '{}', 127))`) },
  'search forgets numbers in arrays': {
    statement: searchText(
      `(SELECT string_agg(element #>> '{}', E'\\n') ${elements} WHERE jsonb_typeof(element) <> 'number')`,
    ),
  },
  'search forgets arrays': { statement: searchText('NULL::text') },
  'search is for what is written exactly so': {
    statement: searchText(`(SELECT string_agg(element::text, E'\\n') ${elements})`).replace(
      'cell.fold(CASE',
      '(CASE',
    ),
  },
  'only the first element of an array is searched': { statement: searchText(`value #>> '{0}'`) },
};
