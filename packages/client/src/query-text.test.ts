import { type Filter, parseQuery } from '@plinth/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClient } from './index.ts';
import { addText, type Condition, everything, printCondition, printQuery } from './query-text.ts';

const posts = createClient({ url: 'https://example.com/p/abc123def456' }).collection('posts');

const refused = new Set(['__proto__', 'constructor', 'prototype']);
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom(
      'limit',
      'a__gt',
      'limit__gt',
      'order__or__b',
      '-x',
      'field:x',
      'a b',
      'x[0]',
      'a,b',
      'é',
    ),
  )
  .filter(
    (text) => text.isWellFormed() && !/[\0.\\]/.test(text) && !text.startsWith('$') && !refused.has(text),
  );
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((keys) => keys.join('.'));
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'));
const awkward = fc.constantFrom(' a', 'b ', 'c\\', 'd,e', '9000', '&=+%', '@user.id');
const scalar = fc.oneof(text, awkward, fc.integer(), fc.boolean());

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    path,
    operator: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'startswith', 'endswith'),
    value: scalar,
  }),
  fc.record({ path, operator: fc.constantFrom('in', 'notin'), value: fc.array(scalar, { maxLength: 4 }) }),
);

/** What the server reads, as the conditions that it has to check. */
function read(filter: Filter): unknown {
  if (filter.kind !== 'condition') return { [filter.kind]: filter.of.map(read) };
  const { path, operator, value, isText } = filter;
  return [path.join('.'), operator, value, ...(isText ? ['text'] : [])];
}

/** The same as the client means it. */
function meant({ path, operator, value }: Condition): unknown[] {
  if (!Array.isArray(value)) {
    const isText = /^[gl]te?$/.test(operator) && typeof value === 'string' && isNumberLike(value);
    return [[path, operator, String(value), ...(isText ? ['text'] : [])]];
  }
  const texts = value.map(String);
  if (texts.length === 0) return operator === 'in' ? [['id', 'in', '']] : [];
  if (!texts.some((item) => /^ | $|\\$/.test(item)))
    return [[path, operator, texts.map((item) => item.replaceAll(',', '\\,')).join(',')]];
  if (operator === 'in') return [{ or: texts.map((item) => [path, 'eq', item]) }];
  return texts.map((item) => [path, 'ne', item]);
}

const isNumberLike = (value: string) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value);

test('what is printed is read by the server as what was meant, whatever the names and values', () => {
  fc.assert(
    fc.property(condition, (asked) => {
      const printed = printCondition(asked, { spare: 'g0' });
      const parts = printed.join('&');
      expect(parts).not.toMatch(/[^\x21-\x7e]/);
      expect(read(parseQuery(parts).filter)).toEqual({ and: meant(asked) });
    }),
    { numRuns: 3000 },
  );
});

test('any of several conditions is one group, and no two groups are mixed up', () => {
  const query = posts
    .any((is) => [is('a', 1), is('b', 'in', ['x', ' y'])])
    .where('c', 'in', [' z', 'w'])
    .any((is) => [is('d', null), is('e', 'in', [])]);
  expect(read(parseQuery(String(query)).filter)).toEqual({
    and: [
      {
        or: [
          ['a', 'eq', '1'],
          ['b', 'eq', 'x'],
          ['b', 'eq', ' y'],
        ],
      },
      {
        or: [
          ['c', 'eq', ' z'],
          ['c', 'eq', 'w'],
        ],
      },
      { or: [['d', 'isnull', 'true']] },
    ],
  });
  expect(String(posts.any(() => []))).toBe('id__in=');
});

test('sorting, selecting and cutting are printed and read the same, also from text', () => {
  const sortable = fc.tuple(fc.constantFrom('', '-'), path).map(([sign, field]) => sign + field);
  fc.assert(
    fc.property(
      fc.record({
        sort: fc.array(
          sortable.filter((field) => !/^--|\.\d+(\.|$)|^-?\s|\s$/.test(field)),
          { maxLength: 4 },
        ),
        select: fc.array(
          path.filter((field) => !/^ | $/.test(field)),
          { maxLength: 3 },
        ),
        limit: fc.integer({ min: 1, max: 100 }),
      }),
      ({ sort, select, limit }) => {
        const state = { ...everything, sort, select, limit };
        const query = parseQuery(printQuery(state));
        expect(query.sort.map(({ path, descending }) => `${descending ? '-' : ''}${path.join('.')}`)).toEqual(
          sort,
        );
        expect((query.select ?? []).map((path) => path.join('.'))).toEqual(select);
        expect(query.limit).toBe(limit);
      },
    ),
    { numRuns: 1000 },
  );
});

test('text in the language of URLs adds to a query, settings too', () => {
  const query = posts.where('?year__gte=1900&orderBy=-year,title&limit=5').where('status', 'open');
  expect(String(query)).toBe('year__gte=1900&status=open&orderBy=-year,title&limit=5');
  expect(addText(everything, '')).toEqual(everything);
  expect(() => posts.where('offset=5')).toThrow('Not supported here');
});

test('a step makes another query and leaves the one before alone', () => {
  const open = posts.where('status', 'open');
  expect(String(open.where('year', 'gte', 1900).limit(3))).toBe('status=open&year__gte=1900&limit=3');
  expect(String(open)).toBe('status=open');
});

test('what cannot be meant is refused at once, and in words', () => {
  const loose = posts as { where(...given: unknown[]): unknown };
  expect(() => loose.where('a', undefined)).toThrow('"a" is compared with undefined.');
  expect(() => loose.where('a', 'in', 'x')).toThrow('in does not take "x".');
  expect(() => loose.where('a', 'gt', null)).toThrow('gt does not take null.');
  expect(() => posts.where('a', Number.NaN)).toThrow('NaN');
  expect(() => posts.limit(0)).toThrow('A limit must be an integer above 0.');
});
