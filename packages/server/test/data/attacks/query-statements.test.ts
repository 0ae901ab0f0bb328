import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFilter, readQuery } from '../../../src/features/data/query/index.ts';
import { compileAfter, compileSort, sortColumns } from '../../../src/features/data/query/sort.ts';
import { hostileNames } from '../../support/data/hostile-names.ts';
import { plainScope } from '../../support/plain-scope.ts';

const esc = encodeURIComponent;

/** Every statement that a query becomes, as the texts that PostgreSQL gets to see. */
async function statementsOf(queryString: string): Promise<{ texts: string[]; values: unknown[] }> {
  const query = await readQuery(queryString, plainScope);
  const position = { id: '01a1dce6-83a9-8000-8004-0009eb07a999', values: query.sort.slice(1).map(() => 'x') };
  const parts = [
    compileFilter(query.filter),
    compileSort(query.sort, 'exact'),
    sortColumns(query.sort),
    compileAfter(query.sort, position, 'exact'),
  ];
  return { texts: parts.map(({ text }) => text), values: parts.flatMap(({ values }) => values) };
}

const shapes = [
  '{a}=v&orderBy={b}',
  '{a}__ne=v&{b}__gt=5&orderBy={a},{b}&order=desc,asc',
  '{a}__gte=text&{b}__lt=x&{a}__lte=1',
  '{a}__contains=v&{b}__startswith=v&{a}__endswith=v',
  '{a}__in=v,w&{b}__notin=1,2&{a}__isnull=true',
  '[or]{a}=v&[or]{b}=v&[or:g]{a}__gt=1&[or:g]{b}=2',
  '{a}.{b}.c=v&orderBy=c.{a}.{b}',
];

const metacharacters = fc
  .array(
    fc.constantFrom("'", '"', '\\', ';', '--', '/*', '$1', '(', ')', '::', ' ', '%', '.', ',', 'a', '{', '}'),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
const anyName = fc
  .oneof(
    metacharacters,
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom(...hostileNames),
  )
  // Names with a meaning of their own are other queries, not other names.
  .filter((name) => !/^\$|__|_$|\\$|\0|^field:|^\[/.test(name) && name.isWellFormed())
  .filter(
    (name) =>
      ![
        'limit',
        'offset',
        'orderBy',
        'order',
        'populate',
        'cursor',
        'select',
        'id',
        'createdAt',
        'updatedAt',
        'constructor',
        'prototype',
      ].includes(name),
  );

/** What is no name without `field:`. */
const unusual = /[\s()[\]{}<>!|]|^-/;

test('Q1: the text of every statement depends on the shape of the query alone, never on a name or value', async () => {
  const inPath = (name: string) => esc(name.replaceAll('.', '\\.'));
  const inList = (name: string) => esc(name.replaceAll('.', '\\.').replaceAll(',', '\\,'));
  const fill = (shape: string, a: string, b: string) =>
    shape
      .split('&')
      .map((piece) => {
        const isOrder = piece.startsWith('orderBy=');
        const name = isOrder ? inList : inPath;
        const isUnusual =
          (piece.includes('{a}') && unusual.test(a)) || (piece.includes('{b}') && unusual.test(b));
        return piece
          .replace(/(^|=|,|\])(?=[\w.]*\{)/g, (start) => (isOrder || isUnusual ? `${start}field:` : start))
          .replace('field:orderBy=', 'orderBy=')
          .replaceAll('{a}', () => name(a))
          .replaceAll('{b}', () => name(b));
      })
      .join('&');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...shapes), anyName, anyName, async (shape, a, b) => {
      const hostile = await statementsOf(fill(shape, a, b));
      const plain = await statementsOf(fill(shape, 'first', 'second'));
      expect(hostile.texts).toEqual(plain.texts);
      expect(hostile.values).toContain(a);
      expect(hostile.values).toHaveLength(plain.values.length);
    }),
    { numRuns: 2000 },
  );
});
