import { expect, test } from 'vitest';
import { plainScope } from '../../../../test/support/plain-scope.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type CheckedFilter, everything, type QueryScope, readQuery } from '../query/index.ts';
import { shapeOf, shapesOf } from './shape.ts';

async function conditionsOf(query: string) {
  const { filter, sort } = await readQuery(query, plainScope);
  return shapeOf(filter, sort).conditions.map(({ field, use, isRange }) => {
    return `${field}: ${isRange ? 'range of ' : ''}${use}`;
  });
}

test.each([
  ['', []],
  ['status=open', ['status: key']],
  ['status__in=open,closed', ['status: key']],
  ['views__gt=5&views__lt=9', ['views: range of key']],
  ['views=5&views__lt=9', ['views: range of key']],
  ['note__isnull=true', ['note: key']],
  ['address.city=Lagos&field:a%5C.b=1', ['a\\.b: key', 'address.city: key']],
  ['title__contains=a&title__startswith=b&title__endswith=c', ['title: text']],
  ['title__contains=a&title=b', ['title: key', 'title: text']],
  ['updatedAt__gt=2026-01-01', ['updatedAt: range of key']],
  ['id=x&createdAt__gt=2026-01-01&id__ne=y', []],
])('%s asks by %j', async (query, expected) => {
  expect(await conditionsOf(query)).toEqual(expected);
});

test.each([
  ['status__ne=open', ['status: none']],
  ['status__notin=open,closed', ['status: none']],
  ['note__isnull=false', ['note: none']],
  ['status__ne=open&views=5', ['status: none', 'views: key']],
])('no index helps a negation: %s asks by %j', async (query, expected) => {
  expect(await conditionsOf(query)).toEqual(expected);
});

test.each([
  ['[or]a=1&[or]b=2', ['a: key', 'b: key']],
  ['title__or__body__contains=x', ['body: text', 'title: text']],
  ['[or]a=1&[or]b__ne=2', ['a: none', 'b: none']],
  ['[or]a=1&[or]id=x', ['a: key']],
  ['[or]a=1&[or]id__ne=x', ['a: none']],
  ['[or]a=1&[or]b__ne=2&c=3', ['a: none', 'b: none', 'c: key']],
])('alternatives help only together: %s asks by %j', async (query, expected) => {
  expect(await conditionsOf(query)).toEqual(expected);
  const { filter, sort } = await readQuery(query, plainScope);
  expect(shapeOf(filter, sort).isDisjunctive).toBe(true);
});

test('an alternative that lets everything through leaves nothing to find', async () => {
  const { filter, sort } = await readQuery('a=1', plainScope);
  const readable = (other: CheckedFilter): CheckedFilter => ({ kind: 'or', of: [other, filter] });
  expect(shapeOf(readable(everything), sort).conditions).toEqual([{ field: 'a', use: 'none' }]);
  expect(shapeOf(readable({ kind: 'or', of: [] }), sort).conditions).toEqual([{ field: 'a', use: 'key' }]);
});

test.each([
  ['', []],
  ['orderBy=views&order=desc', ['-views']],
  ['orderBy=status,views&order=asc,desc', ['status', '-views']],
  ['orderBy=createdAt', []],
  ['orderBy=updatedAt&order=desc', ['-updatedAt']],
  ['orderBy=views,id', ['views']],
  ['orderBy=views,field:-odd', ['views']],
  ['orderBy=status,-views', ['status', '-views']],
])('the order of %s is %j', async (query, expected) => {
  const { filter, sort } = await readQuery(query, plainScope);
  expect(shapeOf(filter, sort).sort).toEqual(expected);
});

test('a shape holds no value, and does not depend on how a query is written', async () => {
  const textOf = async (query: string) => {
    const { filter, sort } = await readQuery(query, plainScope);
    return JSON.stringify(shapeOf(filter, sort));
  };
  const text = await textOf('secret=hunter2&views__gt=77&[or]a=1&[or]b=2');
  expect(text).not.toMatch(/hunter2|77/);
  expect(await textOf('[or]b=9&[or]a=8&views__gte=1&secret__in=x,y&secret=z')).toBe(text);
});

/** Posts (1) link to authors (2), authors to companies (3) and to a user (0). */
function scopeOf(number: number): QueryScope {
  const links: Record<number, Record<string, number[]>> = {
    1: { author_id: [2] },
    2: { company_id: [3], account_id: [0] },
  };
  return {
    ...plainScope,
    linksAt: ([first = '']) => links[number]?.[first] ?? [],
    linked: async (collection) => ({
      isClosed: false,
      scope: scopeOf(collection),
      readable: everything,
      table: {
        tables: [sql`linked`],
        projectId: '1',
        collection: collection === 0 ? undefined : collection,
        isComplete: sql`true`,
      },
    }),
  };
}

async function throughLinks(query: string) {
  const { filter, sort } = await readQuery(query, scopeOf(1));
  return Object.fromEntries(
    shapesOf(filter, sort, 1).map(({ collection, shape }) => [
      collection,
      shape.conditions.map(({ field, use }) => `${field}: ${use}`),
    ]),
  );
}

test.each([
  ['author.role=admin', { 1: ['author: link', 'author_id: link'], 2: ['role: key'] }],
  ['author.role__ne=admin', { 1: ['author.role: none', 'author_id: none'], 2: ['role: none'] }],
  ['author.id=x', { 1: ['author: link', 'author_id: link'] }],
  [
    'author.company.name__contains=x&author.role=y',
    {
      1: ['author: link', 'author_id: link'],
      2: ['company: link', 'company_id: link', 'role: key'],
      3: ['name: text'],
    },
  ],
  ['author.account.name=x', { 1: expect.anything(), 2: ['account: link', 'account_id: link'] }],
])('what %s asks through links belongs to the collections there', async (query, expected) => {
  expect(await throughLinks(query)).toEqual(expected);
});

test('the order is that of the collection that is listed', async () => {
  const { filter, sort } = await readQuery('author.role=admin&orderBy=views', scopeOf(1));
  expect(shapesOf(filter, sort, 1).map(({ shape }) => shape.sort)).toEqual([['views'], []]);
});
