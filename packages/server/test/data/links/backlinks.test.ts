// @tables own moving
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let authors: string;
let ada: string;
let bob: string;
beforeAll(async () => {
  stage = await Stage.open();
  authors = await stage.collection({}, 'authors');
  ada = (await stage.document(authors, { name: 'Ada' })).id;
  bob = (await stage.document(authors, { name: 'Bob' })).id;
});
afterAll(() => stage[Symbol.asyncDispose]());

const backlinksOf = (id: string, query = '') =>
  stage.api.get(`/collections/${authors}/backlinks/${id}${query}`);

test('what links to a document is told by collection and field, with a query that lists it', async () => {
  expect(await succeed(backlinksOf(ada))).toEqual([]);
  const books = await stage.collection({}, 'books');
  const notes = await stage.collection({}, 'notes');
  await stage.document(books, { author_id: ada });
  await stage.document(books, { author_id: ada, meta: { editor_ids: [bob, ada] } });
  await stage.document(books, { author_id: bob, 'odd__name a': ada, limit: ada, 'dotted.name': ada });
  await stage.document(notes, { about: 'nobody' });
  const found = await succeed(backlinksOf(ada));
  expect(found).toEqual(
    ['author_id', 'dotted\\.name', 'limit', 'meta.editor_ids', 'odd__name a'].map((field) => ({
      collection: books,
      field,
      query: expect.stringContaining(ada),
      total: field === 'author_id' ? 2 : 1,
      totalIsFloor: false,
    })),
  );
  for (const { query, total } of found)
    expect(await succeed(stage.api.get(`/collections/${books}?${query}`)), query).toHaveLength(total);
  expect((await succeed(backlinksOf(bob))).map(({ field }: { field: string }) => field)).toEqual([
    'author_id',
    'meta.editor_ids',
  ]);
});

test('fields come in pages, and what has gone is left out', async () => {
  const carol = (await stage.document(authors, { name: 'Carol' })).id;
  const wide = await stage.collection({}, 'wide');
  const names = Array.from({ length: 25 }, (_, n) => `by_${String(n).padStart(2, '0')}`);
  await stage.document(wide, Object.fromEntries(names.map((name) => [name, carol])));
  const fields: string[] = [];
  for (let offset = 0, hasMore = true; hasMore; offset += 20) {
    const { body } = await backlinksOf(carol, `?offset=${offset}`);
    fields.push(...body.data.map(({ field }: { field: string }) => field));
    ({ hasMore } = body);
  }
  expect(fields).toEqual(names);
  expect((await backlinksOf(carol, '?limit=1000')).body.limit).toBe(20);
  await succeed(stage.api.delete(`/collections/${wide}`));
  expect(await succeed(backlinksOf(carol, '?offset=0'))).toEqual([]);
});

test('a document that is not there has none, and rules open nothing', async () => {
  expect(await backlinksOf('019a8c5e-7f00-8000-8123-4a5b6c7d8e9f')).toFailWith(404, 'document_not_found');
  expect(await backlinksOf(ada, '?cursor=x')).toFailWith(400, 'invalid_query');
  const person = await stage.person();
  const reply = await person.client.get(`/collections/${authors}/backlinks/${ada}`);
  expect(reply).toFailWith(403, 'api_key_required');
});
