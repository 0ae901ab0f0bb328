import { expect, test } from 'vitest';
import { plainScope } from '../../../../test/support/plain-scope.ts';
import { type CollectionIndex, readIndexField } from '../collections/index.ts';
import { readQuery } from '../query/index.ts';
import { type Shape, shapeOf } from './shape.ts';
import { canBeHelped, helpersOf, suggest } from './suggest.ts';
import { tooSlow } from './too-slow.ts';

/** `sort status,-views building` */
function indexOf(text: string): CollectionIndex {
  const [kind, fields, state = 'ready'] = text.split(' ');
  return {
    id: text,
    kind: kind as CollectionIndex['kind'],
    fields: fields!.split(',').map(readIndexField),
    state: state as CollectionIndex['state'],
    isAutomatic: false,
    isStored: true,
  };
}

async function shapeFor(query: string): Promise<Shape> {
  const { filter, sort } = await readQuery(query, plainScope);
  return shapeOf(filter, sort);
}

async function wantedFor(query: string, indexes: readonly string[] = []) {
  const wanted = suggest(await shapeFor(query), { indexes: indexes.map(indexOf) });
  return wanted.map(
    ({ kind, fields, onlyIfRare }) => `${kind} ${fields.join()}${onlyIfRare ? ' if rare' : ''}`,
  );
}

test.each([
  ['status=open', ['sort status if rare']],
  ['views__gt=5', ['sort views if rare']],
  ['title__contains=x', ['search title']],
  ['orderBy=views&order=desc', ['sort -views']],
  ['orderBy=views,title', ['sort views']],
  ['status=open&orderBy=views&order=desc', ['sort -views', 'sort status if rare']],
  ['views__gt=5&orderBy=views&order=desc', ['sort -views']],
  ['title__contains=x&title=y&orderBy=title', ['search title', 'sort title']],
  ['updatedAt__gt=2026-01-01', ['sort updatedAt if rare']],
  ['[or]a=1&[or]b__contains=x', ['search b', 'sort a if rare']],
])('%s wants %j', async (query, expected) => {
  expect(await wantedFor(query)).toEqual(expected);
});

test('a filter through a link wants the link to be found', () => {
  const shape: Shape = {
    conditions: [
      { field: 'author_id', use: 'key' },
      { field: 'author_id', use: 'link' },
    ],
    sort: [],
    isDisjunctive: false,
  };
  const [wanted, ...others] = suggest(shape, { indexes: [] });
  expect(wanted).toEqual({
    kind: 'sort',
    fields: ['author_id'],
    why: 'Queries filter by what "author_id" links to.',
  });
  expect(others).toEqual([]);
});

test.each([
  [''],
  ['id=x&createdAt__gt=2026-01-01'],
  ['status__ne=open'],
  ['[or]status=open&[or]views__ne=5'],
  ['orderBy=createdAt,title&order=desc,asc'],
  ['field:-odd=1'],
  [`${'a'.repeat(201)}=1`],
])('nothing helps %s', async (query) => {
  expect(await wantedFor(query)).toEqual([]);
  expect(canBeHelped(await shapeFor(query))).toBe(false);
});

test.each([
  ['an index of the field', 'status=x', ['sort status'], []],
  ['one that begins with it', 'status=x', ['sort -status,views'], []],
  ['one that is being built', 'status=x', ['sort status building'], []],
  ['one that waits', 'status=x', ['sort status recorded'], []],
  ['one that failed', 'status=x', ['sort status failed'], []],
  ['not one that goes', 'status=x', ['sort status dropping'], ['sort status if rare']],
  ['not one of another kind', 'status=x', ['search status', 'unique status'], ['sort status if rare']],
  ['not one that begins elsewhere', 'views=1', ['sort status,views'], ['sort views if rare']],
  ['one behind what is fixed', 'status=x&orderBy=views', ['sort status,-views'], []],
  ['not one behind a range', 'status__gt=x&orderBy=views', ['sort status,views'], ['sort views']],
  [
    'not one behind an alternative',
    '[or]status=x&[or]kind=y&orderBy=views',
    ['sort status,views', 'sort kind'],
    ['sort views'],
  ],
  ['statistics, for conditions', 'status=x', ['statistics status'], []],
  ['not statistics, for orders', 'orderBy=status', ['statistics status'], ['sort status']],
  ['the other direction', 'orderBy=views&order=desc', ['sort views'], []],
  ['a search index', 'title__contains=x', ['search title'], []],
  ['not a sort index, for parts of texts', 'title__contains=x', ['sort title'], ['search title']],
])('what is there is not wanted again: %s', async (_, query, indexes, expected) => {
  expect(await wantedFor(query, indexes)).toEqual(expected);
});

test('what there is for a shape: indexes before statistics', async () => {
  const indexes = ['statistics status', 'sort other', 'sort views building', 'sort status'].map(indexOf);
  const found = helpersOf(await shapeFor('status=x&orderBy=views'), indexes);
  expect(found.map(({ id }) => id)).toEqual(['sort views building', 'sort status', 'statistics status']);
});

test.each([
  ['status=x', [], /create a sort index on "status" with POST \/collections\/posts\/indexes/],
  ['title__contains=x', [], /create a search index on "title" with/],
  ['status=x', ['sort status building'], /a sort index on "status" is being built/],
  ['status=x', ['statistics status building'], /statistics on "status" is being built/],
  ['status=x', ['sort status'], /No further index would help/],
  ['status__ne=x', [], /No further index would help/],
])('a query that is too slow says what would help: %s with %j', async (query, indexes, message) => {
  const error = tooSlow({ name: 'posts', indexes: indexes.map(indexOf) }, await shapeFor(query));
  expect(error).toMatchObject({ code: 'query_too_slow', status: 400 });
  expect(error.message).toMatch(message);
  expect(error.message).toContain('GET /collections/posts/indexes/advice');
});
