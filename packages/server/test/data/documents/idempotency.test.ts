// @tables own moving
import { beforeAll, expect, test } from 'vitest';
import { Client, type Reply } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let stored: Stored;
beforeAll(async () => {
  stored = new Stored(t, t.projects[0]);
});

const withKey = (key: string, more: Record<string, string> = {}) => ({
  headers: { 'Idempotency-Key': key, ...more },
});
const total = async (path: string, api = t.api): Promise<number> => (await api.get(path)).body.total;

function expectReplayed(first: Reply, again: Reply): void {
  expect(again.status).toBe(first.status);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
}

test('the same key and body give the same answer, and the work is done once', async () => {
  const { path } = await newCollection(t.api);
  const calls: [string, object][] = [
    [path, { n: 1 }],
    [`${path}/batch`, { documents: [{ n: 2 }, { n: 3 }] }],
    ['/collections', { name: 'made-once' }],
  ];
  for (const [address, body] of calls) {
    const first = await t.api.post(address, body, withKey('once'));
    expect(first.status).toBe(201);
    expectReplayed(first, await t.api.post(address, body, withKey('once')));
  }
  expect(await total(path)).toBe(3);
  const { data } = (await t.api.get(path)).body;
  const ids = data.map(({ id }: { id: string }) => id);
  const deleted = await t.api.post(`${path}/batch-delete`, { ids }, withKey('gone'));
  expectReplayed(deleted, await t.api.post(`${path}/batch-delete`, { ids }, withKey('gone')));
});

test('a replay follows what it asks for: the bare form, and the project’s own address', async () => {
  const { path } = await newCollection(t.api);
  const first = await t.api.post(path, { n: 1 }, withKey('k'));
  const bare = await t.api.post(path, { n: 1 }, withKey('k', { 'X-Response-Format': 'bare' }));
  expect(bare.status).toBe(201);
  expect(bare.body).toEqual(first.body.data);
  const atAddress = await t.api.post(`/p/${t.projects[0].ref}${path}`, { n: 1 }, withKey('k'));
  expectReplayed(first, atAddress);
});

test('another body with the same key is 400 idempotency_mismatch and does nothing', async () => {
  const { path } = await newCollection(t.api);
  await t.api.post(path, { n: 1 }, withKey('k'));
  const { status, body } = await t.api.post(path, { n: 2 }, withKey('k'));
  expect({ status, body }).toFailWith(400, 'idempotency_mismatch');
  expect(await total(path)).toBe(1);
});

test('a key counts for its project, method and path alone', async () => {
  const [mine, other] = t.projects;
  const first = await newCollection(mine.api);
  const second = await newCollection(mine.api);
  await other.api.post('/collections', { name: first.name });
  const ids = [
    await mine.api.post(first.path, { n: 1 }, withKey('k')),
    await mine.api.post(second.path, { n: 1 }, withKey('k')),
    await other.api.post(first.path, { n: 1 }, withKey('k')),
    await mine.api.post(first.path, { n: 1 }, withKey('K')),
  ].map(({ body }) => body.data.id);
  expect(new Set(ids).size).toBe(4);
  const at = `${first.path}/${ids[0]}`;
  for (const key of ['k', 'k', 'K']) await mine.api.patch(at, { $increment: { n: 1 } }, withKey(key));
  expect((await mine.api.get(at)).body.data.n).toBe(3);
});

test('PATCH, PUT and DELETE are done once too, also where the first has made another impossible', async () => {
  const { path } = await newCollection(t.api);
  const { id } = (await t.api.post(path, { n: 1 })).body.data;
  const at = `${path}/${id}`;
  const calls = [
    () => t.api.patch(at, { $increment: { n: 1 } }, withKey('k', { 'If-Match': '"1"' })),
    () => t.api.patch(at, { $append: { long: 'x'.repeat(1000) } }, withKey('k2')),
    () => t.api.put(at, { n: 10 }, withKey('k', { 'If-Match': '"3"' })),
    () => t.api.delete(at, withKey('k', { 'If-Match': '"4"' })),
  ];
  for (const call of calls) {
    const first = await call();
    expect(first.status, first.text).toBe(200);
    expectReplayed(first, await call());
  }
  expect(await total(path)).toBe(0);
  const other = (await t.api.post(path, { n: 1 })).body.data.id;
  const deleted = await t.api.delete(`${path}/${other}`, withKey('k'));
  expectReplayed(deleted, await t.api.delete(`${path}/${other}`, withKey('k')));
  expect((await t.api.delete(`${path}/${other}`, withKey('another'))).status).toBe(404);
});

test('the version that a call relies on is part of it', async () => {
  const { path } = await newCollection(t.api);
  const { id } = (await t.api.post(path, { n: 1 })).body.data;
  await t.api.patch(`${path}/${id}`, { n: 2 }, withKey('k', { 'If-Match': '"1"' }));
  const { status, body } = await t.api.patch(`${path}/${id}`, { n: 2 }, withKey('k'));
  expect({ status, body }).toFailWith(400, 'idempotency_mismatch');
});

test('what is refused uses up no key, and what was done is answered before it is judged again', async () => {
  const { path, name } = await newCollection(t.api);
  const settings = (rules: object) => t.api.patch(`/collections/${name}`, { settings: { rules } });
  await settings({ read: 'public', create: 'locked' });
  const anyone = new Client(`${t.url}/p/${t.projects[0].ref}`);
  expect((await anyone.post(path, { n: 1 }, withKey('k'))).status).toBe(401);
  await settings({ create: 'public' });
  const first = await anyone.post(path, { n: 1 }, withKey('k'));
  expect(first.status).toBe(201);
  await settings({ create: 'locked' });
  expectReplayed(first, await anyone.post(path, { n: 1 }, withKey('k')));
  expect((await anyone.post(path, { n: 1 }, withKey('k2'))).status).toBe(401);
});

test('other changes, of collections and users, are done once as well', async () => {
  const { name } = await newCollection(t.api);
  const change = () => t.api.patch(`/collections/${name}`, { name: `${name}-new` }, withKey('k'));
  expectReplayed(await change(), await change());
  const user = (await t.api.post('/auth-collections/users', { email: `${name}@example.com` })).body.data;
  const count = () =>
    t.api.patch(`/auth-collections/users/${user.id}`, { data: { $increment: { n: 1 } } }, withKey('k'));
  const first = await count();
  expect(first.body.data.data).toEqual({ n: 1 });
  expectReplayed(first, await count());
});

test('many calls with keys of their own, and repetitions among them, leave one document each', async () => {
  const { path } = await newCollection(t.api);
  const second = new Client((await t.node()).url, { 'x-api-key': t.projects[0].apiKey });
  const replies = await Promise.all(
    Array.from({ length: 300 }, (_, at) =>
      (at % 2 === 0 ? t.api : second).post(path, { n: at % 60 }, withKey(`k${at % 60}`)),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(60);
  expect(await total(path)).toBe(60);
});

test('a failed call is not kept: the same key works once the cause is gone', async () => {
  const { path } = await newCollection(t.api);
  expect((await t.api.post('/collections/made-later', { n: 1 }, withKey('k'))).status).toBe(404);
  await t.api.post('/collections', { name: 'made-later' });
  expect((await t.api.post('/collections/made-later', { n: 1 }, withKey('k'))).status).toBe(201);
  expect((await t.api.post(path, { $bad: 1 }, withKey('k'))).status).toBe(400);
  expect((await t.api.post(path, { good: 1 }, withKey('k'))).status).toBe(201);
  await t.api.post(path, { good: 1 }, withKey('k'));
  expect(await total(path)).toBe(1);
});

test.each<[string, string]>([
  ['an empty key', ''],
  ['one of 256 characters', 'k'.repeat(256)],
])('%s is refused', async (_name, key) => {
  const { path } = await newCollection(t.api);
  const { status, body } = await t.api.post(path, {}, withKey(key));
  expect({ status, body }).toFailWith(400, 'invalid_idempotency_key');
  expect(await total(path)).toBe(0);
});

test('20 parallel calls with one key create one document and get one answer, on two nodes', async () => {
  const { path } = await newCollection(t.api);
  const second = new Client((await t.node()).url, { 'x-api-key': t.projects[0].apiKey });
  // Both nodes know the collection, and hold connections for as many calls as they will get.
  await Promise.all([t.api, second].flatMap((api) => Array.from({ length: 20 }, () => api.get(path))));
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? t.api : second).post(path, { n: 1 }, withKey('k'))),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  expect(await total(path)).toBe(1);
});

test.each<[string, (at: number) => string, number]>([
  ['one key', () => 'k', 1],
  ['a key each', (at) => `k${at}`, 20],
])(
  '20 parallel first calls to a collection with %s do not starve the node of connections',
  async (_name, key, documents) => {
    // The pool is as large as it gets, and this node has not looked the collection up yet.
    await Promise.all(Array.from({ length: 20 }, () => t.api.get('/collections')));
    const { path } = await newCollection(t.api);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => t.api.post(path, { n: 1 }, withKey(key(at)))),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(await total(path)).toBe(documents);
  },
);

test('a key is kept for 24 hours and then free for anything', async () => {
  const { path } = await newCollection(t.api);
  const age = (interval: string) =>
    stored.query(`UPDATE cell.idempotency_keys SET created_at = now() - $2::interval WHERE project_id = $1`, [
      interval,
    ]);
  const first = await t.api.post(path, { n: 1 }, withKey('k'));
  await age('23 hours 59 minutes');
  expectReplayed(first, await t.api.post(path, { n: 1 }, withKey('k')));
  await age('24 hours 1 minute');
  const second = await t.api.post(path, { n: 1 }, withKey('k'));
  expect(second.status).toBe(201);
  expect(second.body.data.id).not.toBe(first.body.data.id);
  expectReplayed(second, await t.api.post(path, { n: 1 }, withKey('k')));
  await age('25 hours');
  expect((await t.api.post(path, { other: true }, withKey('k'))).status).toBe(201);
  expect(await total(path)).toBe(3);
});
