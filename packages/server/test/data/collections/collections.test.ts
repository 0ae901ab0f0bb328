// @tables own
import { expect, test } from 'vitest';
import { Client, type Reply } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { eventually } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const locked = { read: 'locked', create: 'locked', update: 'locked', delete: 'locked' };
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a new collection is empty and locked', async () => {
  const { status, body } = await t.api.post('/collections', { name: 'Posts_2-x' });
  expect(status).toBe(201);
  expect(body).toEqual({
    success: true,
    data: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Posts_2-x',
      createdAt: expect.stringMatching(iso),
      updatedAt: body.data.createdAt,
      documentCount: 0,
      number: expect.any(Number),
      settings: { rules: locked, ownerField: null, hiddenFields: [] },
    },
  });
});

test('a new collection takes settings, and warns of those that are weaker than they look', async () => {
  const settings = { rules: { read: 'public', create: 'team=@user.data.team' }, hiddenFields: ['secret'] };
  const { status, body } = await t.api.post('/collections', { name: 'opened', settings });
  expect(status).toBe(201);
  expect(body.data.settings).toEqual({
    ...settings,
    rules: { ...locked, ...settings.rules },
    ownerField: null,
  });
  expect(body.warnings).toEqual([expect.stringContaining('rules.create trusts @user.data')]);
  const anyone = new Client(`${t.url}/p/${t.projects[0].ref}`);
  expect((await anyone.get('/collections/opened')).status).toBe(200);
});

test('settings that could not work leave no collection', async () => {
  const settings = { rules: { read: 'owner' } };
  const refused = await t.api.post('/collections', { name: 'never', settings });
  expect(refused).toFailWith(400, 'invalid_rule');
  expect((await t.api.get('/collections/never')).status).toBe(404);
});

test.each([
  'a',
  'Z',
  'a'.repeat(63),
  'batch',
  'x-y_z',
  'constructor',
  'users',
  'null',
  'A1b2c3d4-0000-4000-8000-00000000000',
])('the name "%s" is taken', async (name) => {
  expect((await t.api.post('/collections', { name })).status).toBe(201);
  expect((await t.api.post(`/collections/${name}`, { a: 1 })).status).toBe(201);
  expect((await t.api.get(`/collections/${name}`)).body.total).toBe(1);
});

test.each([
  '',
  '1a',
  '_a',
  '-a',
  'a'.repeat(64),
  'a b',
  ' a',
  'a ',
  'a\n',
  'a.b',
  'a/b',
  'ä',
  'a%20b',
  "a'b",
  'аbc',
  'a\u0301',
  'ABCDEF01-2345-4789-89ab-0123456789ab',
  'abcdef01-2345-8789-89ab-0123456789ab',
  'fFffffff-ffff-ffff-ffff-ffffffffffff',
])('the name %j is refused, on create and on rename', async (name) => {
  const { path } = await newCollection(t.api);
  for (const reply of [await t.api.post('/collections', { name }), await t.api.patch(path, { name })]) {
    expect(reply).toFailWith(400, 'invalid_collection_name');
  }
});

test('a taken name is 400 collection_exists; names are of one project and tell case', async () => {
  const { name } = await newCollection(t.api);
  const again = await t.api.post('/collections', { name });
  expect(again).toFailWith(400, 'collection_exists');
  expect((await t.api.post('/collections', { name: name.toUpperCase() })).status).toBe(201);
  expect((await t.projects[1].api.post('/collections', { name })).status).toBe(201);
});

test('of 20 parallel creates with one name one succeeds', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => t.api.post('/collections', { name: 'contested' })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.error?.code === 'collection_exists')).toHaveLength(19);
});

test('the list has every collection by name, with its count, in pages', async () => {
  const { api } = await t.createProject();
  for (const name of ['b', 'a', 'C', 'd', 'e']) await api.post('/collections', { name });
  await newDocument(api, '/collections/b', {});
  const { body } = await api.get('/collections');
  expect(body).toMatchObject({ total: 5, limit: 1000, offset: 0, hasMore: false });
  const rows = body.data.map((one: { name: string; documentCount: number }) => [one.name, one.documentCount]);
  expect(rows).toEqual([
    ['C', 0],
    ['a', 0],
    ['b', 1],
    ['d', 0],
    ['e', 0],
  ]);
  const page = await api.get('/collections?limit=2&offset=1');
  expect(page.body).toMatchObject({ total: 5, limit: 2, offset: 1, hasMore: true });
  expect(page.body.data.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  for (const query of ['limit=0', 'limit=x', 'offset=-1', 'name=b', 'limit=1&limit=2']) {
    expect((await api.get(`/collections?${query}`)).status).toBe(400);
  }
});

test('in the bare form the list of collections pages by Link like any other', async () => {
  const { api } = await t.createProject();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await api.post('/collections', { name });
  const seen: string[] = [];
  let next: string | undefined = '/collections?limit=2';
  for (let pages = 0; next !== undefined && pages < 10; pages += 1) {
    const page: Reply = await api.get(next, { headers: { 'X-Response-Format': 'bare' } });
    expect(page.headers.get('x-total-count')).toBe('5');
    seen.push(...page.body.map(({ name }: { name: string }) => name));
    next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(names);
});

test('GET of a collection is its documents and its record in one', async () => {
  const { id, name, path } = await newCollection(t.api);
  const document = await newDocument(t.api, path, { a: 1 });
  for (const address of [path, `/collections/${id}`]) {
    const { body } = await t.api.get(address);
    expect(body.data).toEqual([document]);
    expect(body.collection).toMatchObject({ id, name, documentCount: 1, settings: { rules: locked } });
  }
});

test('a rename moves everything to the new name at once; the id keeps working', async () => {
  const { id, name, path } = await newCollection(t.api);
  const document = await newDocument(t.api, path, { a: 1 });
  const renamed = `${name}-new`;
  const { status, body } = await t.api.patch(path, { name: renamed });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id, name: renamed, documentCount: 1 });
  expect(Date.parse(body.data.updatedAt)).toBeGreaterThanOrEqual(Date.parse(body.data.createdAt));
  expect((await t.api.get(path)).status).toBe(404);
  expect((await t.api.get(`${path}/${document.id}`)).status).toBe(404);
  expect((await t.api.post(path, {})).status).toBe(404);
  expect((await t.api.get(`/collections/${renamed}/${document.id}`)).body.data).toEqual(document);
  expect((await t.api.get(`/collections/${id}/${document.id}`)).body.data).toEqual(document);
  // The old name is free for another collection, which starts empty.
  await t.api.post('/collections', { name });
  expect((await t.api.get(path)).body).toMatchObject({ total: 0, data: [] });
});

test('another node follows a rename too', async () => {
  const { name, path } = await newCollection(t.api);
  const other = new Client((await t.node()).url, { 'x-api-key': t.projects[0].apiKey });
  expect((await other.get(path)).status).toBe(200);
  await t.api.patch(path, { name: `${name}-new` });
  expect((await other.get(`${path}-new`)).status).toBe(200);
  await eventually('the other node forgets the old name', async () => (await other.get(path)).status === 404);
});

test('a rename to a taken name is refused; to its own it changes nothing', async () => {
  const { name, path } = await newCollection(t.api);
  const taken = await newCollection(t.api);
  const { status, body } = await t.api.patch(path, { name: taken.name });
  expect({ status, body }).toFailWith(400, 'collection_exists');
  expect((await t.api.patch(path, { name })).body.data.name).toBe(name);
});

test('of parallel renames to one name one succeeds and the others are collection_exists', async () => {
  for (let round = 0; round < 5; round += 1) {
    const collections = await Promise.all(Array.from({ length: 8 }, () => newCollection(t.api)));
    const replies = await Promise.all(
      collections.map(({ path }) => t.api.patch(path, { name: `wanted${round}` })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = replies.filter(({ status }) => status !== 200).map(({ body }) => body.error.code);
    expect(codes).toEqual(codes.map(() => 'collection_exists'));
  }
});
