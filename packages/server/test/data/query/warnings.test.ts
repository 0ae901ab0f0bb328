// @tables own
import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { Stage, succeed } from '../../support/data/stage.ts';

const stage = await Stage.open();
const alice = await stage.person();
const authors = await stage.collection({}, 'authors');
const ada = await stage.document(authors, { name: 'Ada' });
const posts = await stage.collection({}, 'posts');
await stage.documents(posts, [
  { title: 'A', views: 1, author_id: ada.id, meta: { lang: 'en' } },
  { title: 'B', status: 'live' },
]);
afterAll(() => stage[Symbol.asyncDispose]());

const ask = async (query: string, client = stage.api, collection = posts) =>
  (await client.get(`/collections/${collection}?${query}`)).body;

describe('a list that is empty because of a name that no document has', () => {
  test.each([
    ['page=2', ['No document has a field `page`. To page through a list, use `limit` and `offset`.']],
    ['sort=-createdAt', ['No document has a field `sort`. To sort, use `orderBy`: orderBy=-createdAt.']],
    ['q=', ['No document has a field `q`. To search within text, use `__contains`: title__contains=….']],
    [
      'filter=x',
      ['No document has a field `filter`. Each condition is its own parameter: status=published.'],
    ],
    ['stauts=live', ['No document has a field `stauts`.']],
    ['stauts=live&title=A', ['No document has a field `stauts`.']],
    [
      '[or]stauts=live&[or]tilte=A',
      ['No document has a field `stauts`.', 'No document has a field `tilte`.'],
    ],
    ['athor.name=Ada', ['No document has a field `athor`.']],
  ])('%s', async (query, warnings) => {
    const body = await ask(query);
    expect(body).toMatchObject({ data: [], warnings });
  });

  test.each(['status=gone', 'author.name=Eve', 'meta.lang=de', 'id=x', 'title=A&offset=5', 'views__gt=5'])(
    '%s is empty for another reason',
    async (query) => {
      const body = await ask(query);
      expect(body.data).toEqual([]);
      expect(body).not.toHaveProperty('warnings');
    },
  );

  test('sorting by one is told too, whatever the list has', async () => {
    expect(await ask('orderBy=veiws')).toMatchObject({
      total: 2,
      warnings: ['No document has a field `veiws`.'],
    });
    expect(await ask('orderBy=views,-createdAt')).not.toHaveProperty('warnings');
  });

  test('a list that is not empty, and a collection that never had a document, warn of nothing', async () => {
    expect(await ask('page__ne=2')).not.toHaveProperty('warnings');
    const empty = await stage.collection();
    expect(await ask('stauts=live', stage.api, empty)).not.toHaveProperty('warnings');
  });
});

describe('what somebody is told who may not read every document', () => {
  test('depends on no document', async () => {
    for (const client of [alice.client, stage.anonymous]) {
      expect(await ask('stauts=live', client)).not.toHaveProperty('warnings');
      expect(await ask('status=gone', client)).not.toHaveProperty('warnings');
      expect(await ask('orderBy=veiws', client)).not.toHaveProperty('warnings');
      expect((await ask('page=2', client)).warnings).toEqual([
        '`page` was interpreted as a condition on a field of that name. To page through a list, use `limit` and `offset`.',
      ]);
    }
  });
});

describe('a name is known', () => {
  test.each([
    ['a create', async (path: string) => succeed(stage.api.post(path, { fresh: 1 }))],
    [
      'a batch',
      async (path: string) => succeed(stage.api.post(`${path}/batch`, { documents: [{}, { fresh: null }] })),
    ],
    ['a PATCH', async (path: string, id: string) => succeed(stage.api.patch(`${path}/${id}`, { fresh: 1 }))],
    ['a PUT', async (path: string, id: string) => succeed(stage.api.put(`${path}/${id}`, { fresh: 1 }))],
    [
      'an operator',
      async (path: string, id: string) =>
        succeed(stage.api.patch(`${path}/${id}`, { $increment: { 'fresh.count': 1 } })),
    ],
    [
      'a batch update',
      async (path: string, id: string) =>
        succeed(stage.api.post(`${path}/batch-update`, { updates: [{ id, fresh: 1 }] })),
    ],
    ['an app user', async (path: string) => succeed(alice.client.post(path, { fresh: 1 }))],
  ])('after %s', async (_, write) => {
    const collection = await stage.collection();
    const { id } = await stage.document(collection, { old: 1 });
    expect((await ask('fresh=none', stage.api, collection)).warnings).toHaveLength(1);
    await write(`/collections/${collection}`, id);
    expect(await ask('fresh=none', stage.api, collection)).not.toHaveProperty('warnings');
  });

  test('also on another node', async () => {
    const collection = await stage.collection();
    await stage.document(collection, { old: 1 });
    const { url } = await stage.t.node();
    const other = new Client(url, { 'x-api-key': stage.t.projects[0].apiKey });
    const there = async () => (await ask('fresh=none', other, collection)).warnings;
    expect(await there()).toHaveLength(1);
    await stage.document(collection, { fresh: 1 });
    await expect.poll(there).toBeUndefined();
  });

  test('not after a write that was refused', async () => {
    const collection = await stage.collection({ rules: { create: 'locked' } });
    await stage.document(collection, { old: 1 });
    expect((await alice.client.post(`/collections/${collection}`, { fresh: 1 })).status).toBe(403);
    expect((await ask('fresh=none', stage.api, collection)).warnings).toHaveLength(1);
  });

  test('nothing is said once there are too many names, or one that is too long', async () => {
    const many = await stage.collection();
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, at]));
    await stage.document(many, fields);
    expect(await ask('stauts=x', stage.api, many)).not.toHaveProperty('warnings');
    const long = await stage.collection();
    await stage.document(long, { ['x'.repeat(100)]: 1 });
    expect(await ask('stauts=x', stage.api, long)).not.toHaveProperty('warnings');
  });
});
