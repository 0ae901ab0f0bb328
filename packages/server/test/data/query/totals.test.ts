// @tables own moving
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { queriesFor } from '../../support/query/arbitrary-queries.ts';
import { askOracle } from '../../support/query/oracle.ts';
import { loadDocuments, loadRound, seed } from '../../support/query/rounds.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let ids: string[];
const rows = (count: number, kind: string) => Array.from({ length: count }, (_, n) => ({ kind, n }));

beforeAll(async () => {
  const bodies = [
    ...rows(1005, 'many'),
    ...rows(1000, 'thousand'),
    ...rows(1001, 'one more'),
    ...rows(3, 'few'),
    ...rows(100, 'hundred'),
  ];
  const { documents } = await loadDocuments(t.api, 'c', bodies, 4);
  ids = documents.map(({ id }) => id);
});

async function figures(query: string, prefer?: string) {
  const headers: Record<string, string> = prefer === undefined ? {} : { prefer };
  const { status, body } = await t.api.get(`/collections/c?${query}`, { headers });
  expect(status).toBe(200);
  const { total, totalIsFloor } = body;
  return { total, totalIsFloor };
}

test.each([
  ['an unfiltered total is exact', '', undefined, 3109, undefined],
  ['an unfiltered total is exact on any page', 'limit=1&offset=3000', undefined, 3109, undefined],
  ['an unfiltered total is exact when sorted', 'orderBy=n', undefined, 3109, undefined],
  ['a filtered total is exact when small', 'kind=few&limit=1', undefined, 3, undefined],
  ['a filtered total of nothing is 0', 'kind=none', undefined, 0, undefined],
  ['a filtered total past the end is exact', 'kind=few&offset=50', undefined, 3, undefined],
  ['a filtered total is exact at 100', 'kind=hundred', undefined, 100, undefined],
  ['more matches are 100 or more', 'kind=thousand', undefined, 100, true],
  ['what the page shows is not less than that', 'kind=many&limit=50&offset=200', undefined, 250, true],
  ['a list that ends on its page is exact', 'kind=many&limit=100&offset=1000', undefined, 1005, undefined],
  ['past the end it is a floor', 'kind=many&offset=2000', undefined, 100, true],
  ['count=exact counts on', 'kind=many', 'count=exact', 1005, undefined],
  ['count=exact of an unfiltered list', '', 'count=exact', 3109, undefined],
  ['count=none leaves the total out', 'kind=few', 'count=none', undefined, undefined],
  ['count=none leaves it out of an unfiltered list', '', 'count=none', undefined, undefined],
])('%s: %s', async (_, query, prefer, total, totalIsFloor) => {
  expect(await figures(query, prefer)).toEqual({ total, totalIsFloor });
});

test('a total on a page reached by cursor counts the whole list', async () => {
  for (const [query, expected] of [
    ['kind=few', { total: 3, totalIsFloor: undefined }],
    ['kind=many', { total: 100, totalIsFloor: true }],
    ['', { total: 3109, totalIsFloor: undefined }],
  ] as const) {
    const { body } = await t.api.get(`/collections/c?${query}&limit=1`);
    expect(await figures(`${query}&limit=1&cursor=${body.nextCursor}`)).toEqual(expected);
  }
});

test('totals of random queries are what the oracle counts', async () => {
  const round = await loadRound(t.api, 0, 60);
  const check = fc.asyncProperty(
    queriesFor(round.documents),
    fc.constantFrom('', 'count=exact'),
    async (query, prefer) => {
      fc.pre(!/(^|&)(limit|offset)=/.test(query));
      const expected = askOracle(round.documents, `${query}&limit=100`);
      fc.pre(expected !== 'refused');
      const { body } = await t.api.get(`/collections/${round.collection}?${query}&limit=1`, {
        headers: { prefer },
      });
      expect(body.total).toBe(expected.length);
      expect(body.totalIsFloor).toBeUndefined();
    },
  );
  await fc.assert(check, { seed, numRuns: 300 });
});

test('a bare list marks a floor', async () => {
  const headers = { 'x-response-format': 'bare' };
  const floor = async (query: string) => {
    const reply = await t.api.get(`/collections/c?${query}`, { headers });
    return [reply.headers.get('x-total-count'), reply.headers.get('x-total-floor')];
  };
  expect(await floor('kind=many')).toEqual(['100', 'true']);
  expect(await floor('kind=few')).toEqual(['3', null]);
});

test('an unfiltered total follows creates and deletes', async () => {
  await t.api.post('/collections/c/batch-delete', { ids: ids.slice(0, 700) });
  expect(await figures('')).toEqual({ total: 2409, totalIsFloor: undefined });
  expect(await figures('kind=many', 'count=exact')).toEqual({ total: 305, totalIsFloor: undefined });
  await t.api.post('/collections/c', { kind: 'few' });
  expect(await figures('')).toEqual({ total: 2410, totalIsFloor: undefined });
  expect(await figures('kind=few&limit=2')).toEqual({ total: 4, totalIsFloor: undefined });
});
