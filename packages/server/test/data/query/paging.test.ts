// @tables own moving
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtersFor, ordersFor } from '../../support/query/arbitrary-queries.ts';
import { askOracle } from '../../support/query/oracle.ts';
import { byCursor, byOffset, expectPages, page } from '../../support/query/paging.ts';
import { loadDocuments, loadRound, type Round, seed } from '../../support/query/rounds.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const limit = fc.integer({ min: 1, max: 7 });

/** Orders with at least one field and no filter, or any query that is not refused. */
const queries = ({ documents }: Round) =>
  fc
    .tuple(fc.oneof(fc.constant(''), filtersFor(documents)), ordersFor(documents))
    .map((parts) => parts.filter((part) => part !== '').join('&'))
    .filter((query) => askOracle(documents, query) !== 'refused');

test('any list comes whole and in order in pages of any size, by cursor and by offset', async () => {
  for (let number = 0; number < 5; number += 1) {
    const round = await loadRound(t.api, number, 36);
    const check = fc.asyncProperty(queries(round), limit, async (query, size) => {
      const whole = await page(t.api, round.collection, query, 'limit=100');
      expectPages(await byCursor(t.api, round.collection, query, size), whole, size);
      expectPages(await byOffset(t.api, round.collection, query, size), whole, size);
    });
    await fc.assert(check, { seed: seed + number, numRuns: 20 });
  }
});

const beginning = 'long '.repeat(20);
const ends = ['', 'a', 'b', 'b', 'b', '😀', '\uffff', 'a'.repeat(2000), `${'a'.repeat(2000)}b`];

test.each(['asc', 'desc'])(
  'strings that differ only after 100 characters are paged by all of them, %s',
  async (order) => {
    const texts = ['', '9', '😀'].flatMap((last) =>
      ends.map((end) => beginning.slice(last.length) + last + end),
    );
    const bodies = [...texts, ...texts].map((long, at) => ({ long, n: at % 2 }));
    const { collection } = await loadDocuments(t.api, `long-${order}`, bodies);
    for (const query of [
      `orderBy=long&order=${order}`,
      `orderBy=n,long&order=asc,${order}`,
      `orderBy=long,n&order=${order}`,
    ]) {
      const whole = await page(t.api, collection, query, 'limit=100');
      for (const size of [1, 3, 7]) expectPages(await byCursor(t.api, collection, query, size), whole, size);
    }
  },
);

test.each(['asc', 'desc', 'asc,desc', 'desc,asc'])(
  'documents the same in every sort field are paged once each, %s',
  async (order) => {
    const bodies = Array.from({ length: 23 }, (_, at) => ({
      kind: 'x',
      part: Math.floor(at / 20),
      list: [at],
    }));
    const { collection } = await loadDocuments(t.api, `same-${order.replace(',', '-')}`, bodies);
    for (const fields of [
      'kind,part',
      'list,kind',
      'missing,kind',
      'kind,createdAt',
      'createdAt,kind',
      'updatedAt,part',
    ]) {
      const query = `orderBy=${fields}&order=${order}`;
      const whole = await page(t.api, collection, query, 'limit=100');
      for (const size of [1, 5]) expectPages(await byCursor(t.api, collection, query, size), whole, size);
    }
  },
);

test.each([
  ['deleted', 'asc'],
  ['deleted', 'desc'],
  ['changed', 'asc'],
  ['changed', 'desc'],
])('no document is missed when the one a cursor stands on is %s, %s', async (fate, order) => {
  const bodies = ends.map((end) => ({ long: beginning + end }));
  const { collection } = await loadDocuments(t.api, `${fate}-${order}`, bodies);
  const query = `orderBy=long&order=${order}`;
  const whole: { id: string }[] = (await page(t.api, collection, query)).body.data;
  const first = await page(t.api, collection, query, 'limit=4');
  const last = `/collections/${collection}/${first.body.data[3].id}`;
  await (fate === 'deleted' ? t.api.delete(last) : t.api.patch(last, { long: 5 }));
  const rest = await page(t.api, collection, query, `cursor=${first.body.nextCursor}`);
  const restIds = rest.body.data.map(({ id }: { id: string }) => id);
  expect(restIds).toEqual(expect.arrayContaining(whole.slice(4).map(({ id }) => id)));
});

test('an offset past the end is an empty page', async () => {
  const { collection } = await loadDocuments(t.api, 'few', [{ a: 1 }, { a: 2 }]);
  for (const query of ['offset=2', 'offset=100000', 'a__gt=0&offset=5']) {
    const { body } = await page(t.api, collection, query);
    expect(body).toMatchObject({ data: [], total: 2, hasMore: false, nextCursor: null });
  }
});
