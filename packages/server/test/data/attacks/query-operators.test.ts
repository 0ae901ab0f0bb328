// @postgres newest
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  await newDocument(api, posts.path, { a: 1, b: 'x' });
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

const known = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'startswith',
  'endswith',
  'in',
  'notin',
  'isnull',
  'or',
];

test('Q2: an operator that is not known is 400 naming the parameter, and never dropped', async () => {
  const suffix = fc
    .oneof(
      fc.stringMatching(/^[A-Za-z]{1,8}$/),
      fc.constantFrom(
        'GT',
        'Contains',
        'equals',
        'like',
        'ilike',
        'regex',
        'not',
        'exists',
        'between',
        'null',
        'size',
        'gt ',
        ' gt',
        'gt_',
        'gte1',
        'ｇｔ',
      ),
    )
    .filter((text) => !known.includes(text));
  await fc.assert(
    fc.asyncProperty(suffix, fc.constantFrom('', '[or]', '[or:g]', 'b__or__'), async (operator, before) => {
      const { status, body } = await api.get(`${posts.path}?${before}a__${encodeURIComponent(operator)}=1`);
      expect({ status, body }).toFailWith(400, 'invalid_query');
      expect(body.error.details.parameter).toBe(`${before}a__${operator}`);
    }),
    { numRuns: 80 },
  );
});

test.each([
  'a__=1',
  'a__gt__=1',
  'a__gt__lt=1',
  'a__gt__gt=1',
  'a____gt=1',
  '__gt=1',
  'a__or=1',
  'a__or__=1',
  'a__or____gt=1',
  '__or__a=1',
  '[or=1',
  '[and]a=1',
  '[or:]a=1',
  '[or:a]=1',
  '[or]=1',
  '[OR]a=1',
  '[or:a b]a=1',
  '[or][or]a=1',
  '[or]limit=5',
  '=1',
  '.a=1',
  'a.=1',
  'a..b=1',
  '$where=1',
  'order=up',
  'orderBy=',
  'orderBy=a&order=asc,desc',
  'orderBy=a,b,c,d,e,f',
  'limit=1&limit=2',
  'cursor=x&offset=1',
])('Q2: %s is 400 invalid_query', async (query) => {
  const { status, body } = await api.get(`${posts.path}?${query}`);
  expect({ status, body }).toFailWith(400, 'invalid_query');
});
