import { expect, test } from 'vitest';
import { sql } from '../../../platform/db/sql.ts';
import type { CheckedFilter } from './checked-query.ts';
import { countedUpTo } from './totals.ts';

const indexed = { steps: sql``, hasSortIndex: true, hasKey: true, hasText: false };
const equals = (name: string): CheckedFilter => ({
  kind: 'test',
  target: { kind: 'json', column: 'data', path: [name], indexed },
  test: { kind: 'equals', candidates: ['x'] },
});
const and = (...of: CheckedFilter[]): CheckedFilter => ({ kind: 'and', of });
const not = (of: CheckedFilter): CheckedFilter => ({ kind: 'not', of });
const index = (...names: string[]) => ({
  fields: names.map((name) => ({ path: [name], isDescending: false })),
});

test.each<[string, CheckedFilter, ReturnType<typeof index>[], number]>([
  ['an index that begins with the field', equals('a'), [index('a', 'b')], 1000],
  ['an index that has both first, in any order', and(equals('a'), equals('b')), [index('b', 'a', 'c')], 1000],
  ['one for each branch', { kind: 'or', of: [equals('a'), equals('b')] }, [index('a')], 100],
  ['an index that begins with another field', equals('b'), [index('a', 'b')], 100],
  ['something that the index does not settle', and(equals('a'), not(equals('b'))), [index('a', 'b')], 100],
  ['no index', equals('a'), [], 100],
])('%s', (_, filter, indexes, expected) => {
  expect(countedUpTo(filter, indexes)).toBe(expected);
});
