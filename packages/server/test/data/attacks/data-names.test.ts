// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  neighbours = await addNeighbours(t);
});
afterEach(async () => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
  await neighbours.expectUnchanged();
});

test.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])(
  'D6: a field called %s is refused anywhere in a body',
  async (name) => {
    const document = await newDocument(api, posts.path, { a: {}, l: [] });
    const at = `${posts.path}/${document.id}`;
    const value = '{"polluted":true}';
    const fields = [
      `{"${name}":${value}}`,
      `{"a":{"${name}":${value}}}`,
      `{"a":[[{"${name}":null}]]}`,
      `{"constructor":{"prototype":${value}}}`,
    ];
    const patches = [
      ...fields,
      `{"$append":{"l":{"${name}":${value}}}}`,
      `{"$append":{"${name}":1}}`,
      `{"$append":{"l":{"$each":[{"${name}":1}]}}}`,
      `{"$remove":{"l":{"${name}":1}}}`,
      `{"$addUnique":{"l":{"${name}":1}}}`,
      `{"$increment":{"${name}.polluted":1}}`,
      `{"$increment":{"a.${name}.polluted":1}}`,
      `{"$unset":{"a.${name}":1}}`,
      `{"$append":{"constructor.prototype.polluted":1}}`,
      `{"${name}":{"a":1}}`,
    ];
    const calls: [string, string, string][] = [
      ...fields.flatMap((raw): [string, string, string][] => [
        ['POST', posts.path, raw],
        ['PUT', at, raw],
        ['POST', `${posts.path}/batch`, `{"documents":[{},${raw}]}`],
      ]),
      ...patches.map((raw): [string, string, string] => ['PATCH', at, raw]),
      ['POST', `${posts.path}/batch-update`, `{"updates":[{"id":"${document.id}","${name}":{}}]}`],
      ['POST', `${posts.path}/batch`, `{"documents":[],"${name}":{}}`],
      ['POST', '/collections', `{"name":"polluted","${name}":{}}`],
      ['PATCH', posts.path, `{"settings":{"${name}":{}}}`],
      ['PATCH', posts.path, `{"settings":{"rules":{"${name}":"locked"}}}`],
    ];
    for (const [method, path, raw] of calls) {
      const reply = await api.call(method, path, undefined, { raw });
      expect(reply.status, `${method} ${raw}`).toBe(400);
    }
    expect((await api.get(at)).body.data).toEqual(document);
  },
);

test('D6: such names in a query are refused too, and reach nothing', async () => {
  await newDocument(api, posts.path, { a: 1 });
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    for (const query of [
      `${name}=1`,
      `a.${name}=1`,
      `field:${name}=1`,
      `orderBy=${name}`,
      `select=a.${name}`,
      `[or]${name}.x=1`,
    ]) {
      expect((await api.get(`${posts.path}?${query}`)).status, query).toBe(400);
    }
  }
  for (const name of ['toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf']) {
    const { body } = await api.get(`${posts.path}?${name}__isnull=false`);
    expect(body.total, name).toBe(0);
    const [selected] = (await api.get(`${posts.path}?select=${name}`)).body.data;
    expect(Object.keys(selected)).toEqual(['id']);
  }
});

test('D6: an object of the request is not changed by an operator of the same request', async () => {
  const { id } = await newDocument(api, posts.path, {});
  const { body } = await api.patch(`${posts.path}/${id}`, {
    a: { n: 1, l: [1] },
    b: { n: 1, l: [1] },
    $increment: { 'a.n': 1 },
    $append: { 'a.l': 2 },
  });
  expect(body.data).toMatchObject({ a: { n: 2, l: [1, 2] }, b: { n: 1, l: [1] } });
});

const owned = { id: null, createdAt: 0, updatedAt: 'now' };
const pretended = {
  email_verified: true,
  project_id: 1,
  password: 'x',
  collection: 1,
  version: 99,
  data: {},
  role: 'admin',
};

test.each<[string, unknown]>([
  ['null', null],
  ['0', 0],
  ['text', 'x'],
  ['a foreign id', '00000000-0000-8000-8000-000000000000'],
  ['an object', { $gt: '' }],
])(
  'D7: what the service owns cannot be set to %s; other columns’ names are mere fields',
  async (_name, value) => {
    const stored = new Stored(t, t.projects[0]);
    const own = Object.fromEntries(Object.keys(owned).map((name) => [name, value]));
    const { number } = await stored.collection(posts.name);
    const expectRow = async (id: string, version: number, data: object) => {
      const rows = await stored.query(
        'SELECT project_id, collection, version, data FROM cell.every_document WHERE project_id = $1 AND id = $2',
        [id],
      );
      expect(rows).toEqual([{ project_id: await stored.projectId(), collection: number, version, data }]);
    };
    const created = await newDocument(api, posts.path, { ...own, ...pretended });
    await expectRow(created.id, 1, pretended);
    await api.patch(`${posts.path}/${created.id}`, own);
    await expectRow(created.id, 2, pretended);
    await api.put(`${posts.path}/${created.id}`, { ...own, version: 5 });
    await expectRow(created.id, 3, { version: 5 });
    const batch = await api.post(`${posts.path}/batch`, { documents: [{ ...own, ...pretended }] });
    await expectRow(batch.body.data[0].id, 1, pretended);
    const { createdAt, updatedAt } = own;
    await api.post(`${posts.path}/batch-update`, {
      updates: [{ id: created.id, createdAt, updatedAt, project_id: 7 }],
    });
    await expectRow(created.id, 4, { version: 5, project_id: 7 });
    const read = (await api.get(`${posts.path}/${created.id}`)).body.data;
    expect(read.createdAt).toBe(created.createdAt);
    expect(read.id).toBe(created.id);
  },
);

test('D7: operators do not reach what the service owns', async () => {
  const document = await newDocument(api, posts.path, { a: 1 });
  const at = `${posts.path}/${document.id}`;
  for (const [operator, value] of [
    ['$append', 'x'],
    ['$addUnique', 'x'],
    ['$remove', 'x'],
    ['$increment', 1],
    ['$unset', true],
  ] as const) {
    for (const field of ['id', 'createdAt', 'updatedAt', 'id.x']) {
      expect((await api.patch(at, { [operator]: { [field]: value } })).status).toBe(400);
    }
  }
  expect((await api.get(at)).body.data).toEqual(document);
});

test('D7: a form-data body cannot slip past the checks', async () => {
  const { total } = (await api.get(posts.path)).body;
  const boundary = 'x1';
  const raw = `--${boundary}\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"id":"mine","__proto__":1}\r\n--${boundary}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  expect((await api.post(posts.path, undefined, { raw, headers })).status).toBe(400);
  expect((await api.get(posts.path)).body.total).toBe(total);
});
