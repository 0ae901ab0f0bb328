// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { workTime } from '../../support/calls/work-time.ts';
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
afterEach(() => neighbours.expectUnchanged());

const total = async (path: string): Promise<number> =>
  (await api.get(`${path}?limit=1&select=id`)).body.total;
const megabyte = 1_048_576;

/** An object of this many levels, itself the first; the innermost is of the other kind now and then. */
const nested = (levels: number, open = '{"a":', close = '}', core = '1') =>
  open.repeat(levels) + core + close.repeat(levels);

test('D3: 32 levels are stored and read, in a batch too; 33 are refused', async () => {
  const { path } = await newCollection(api);
  for (const [levels, status] of [
    [32, 201],
    [33, 400],
  ] as const) {
    const created = await api.post(path, undefined, { raw: nested(levels) });
    expect(created.status).toBe(status);
    const list = await api.post(path, undefined, { raw: `{"a":${nested(levels - 1, '[', ']')}}` });
    expect(list.status).toBe(status);
    const batch = await api.post(`${path}/batch`, undefined, { raw: `{"documents":[{},${nested(levels)}]}` });
    expect(batch.status).toBe(status);
    if (status === 201) {
      const read = await api.get(`${path}/${created.body.data.id}`);
      expect(read.body.data.a).toEqual(JSON.parse(nested(31)));
    }
  }
  expect(await total(path)).toBe(4);
});

test.each<[string, string]>([
  ['objects', nested(100_000)],
  ['arrays', nested(500_000, '[', ']')],
  ['arrays that never close', '['.repeat(megabyte - 10)],
  ['objects inside an operator', `{"$append":{"a":${nested(50_000)}}}`],
])('D3: very deep %s are refused quickly, and the node lives on', async (_name, raw) => {
  const spentMs = await workTime(async () => {
    for (const reply of [
      await api.post(posts.path, undefined, { raw }),
      await api.post(`${posts.path}/batch`, undefined, { raw: `{"documents":[${raw}]}` }),
    ]) {
      expect(reply.status).toBe(400);
    }
  });
  expect(spentMs).toBeLessThan(8000);
  expect((await t.anonymous.get('/healthz')).status).toBe(200);
});

test('D3: a document of 1 MB is stored; a body one byte longer is 413', async () => {
  const { path } = await newCollection(api);
  const ofSize = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });
  expect(ofSize(megabyte)).toHaveLength(megabyte);
  const { status, body } = await api.post(path, undefined, { raw: ofSize(megabyte) });
  expect(status).toBe(201);
  const { id } = body.data;
  const before = (await api.get(`${path}/${id}`)).text;
  for (const reply of [
    await api.post(path, undefined, { raw: ofSize(megabyte + 1) }),
    await api.put(`${path}/${id}`, undefined, { raw: ofSize(megabyte + 1) }),
    await api.patch(`${path}/${id}`, undefined, { raw: ofSize(megabyte + 1) }),
    await api.patch(`${path}/${id}`, { b: 1 }),
    await api.patch(`${path}/${id}`, { $append: { list: 1 } }),
    await api.post('/collections', undefined, { raw: ofSize(megabyte + 1) }),
  ]) {
    expect(reply).toFailWith(413, 'body_too_large');
  }
  expect((await api.get(`${path}/${id}`)).text).toBe(before);
  expect(await total(path)).toBe(1);
});

test('D3: a batch body over 16 MB is 413', async () => {
  const { path } = await newCollection(api);
  const raw = `{"documents":[${' '.repeat(16 * megabyte)}]}`;
  for (const kind of ['batch', 'batch-update', 'batch-delete']) {
    expect((await api.post(`${path}/${kind}`, undefined, { raw })).status).toBe(413);
  }
  expect(await total(path)).toBe(0);
});

test('15: a document has at most 20,000 different names of fields, however they come', async () => {
  const { path } = await newCollection(api);
  const named = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 1]));
  const tooMany = async (reply: Promise<{ status: number; body: { error: { message: string } } }>) => {
    const { status, body } = await reply;
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('at most 20000 different field names'),
    ]);
  };
  const { body } = await api.post(path, named('a', 20_000));
  const one = `${path}/${body.data.id}`;
  await tooMany(api.post(path, named('a', 20_001)));
  await tooMany(api.post(path, { inside: named('a', 20_000) }));
  await tooMany(api.patch(one, { b: 1 }));
  await tooMany(api.put(one, { list: [named('a', 10_000), named('b', 10_000)] }));
  await tooMany(api.post(`${path}/batch`, { documents: [{}, named('a', 20_001)] }));
  // Each document counts alone.
  const documents = [named('a', 15_000), named('b', 15_000)];
  expect((await api.post(`${path}/batch`, { documents })).status).toBe(201);
  expect((await api.patch(one, { a0: 2 })).status).toBe(200);
  const track = Array.from({ length: 30_000 }, (_, at) => ({ at, x: 1, y: 2 }));
  expect((await api.post(path, { track })).status).toBe(201);
});

test('D8: a batch of 100,000 is refused, whatever its items', async () => {
  const { path } = await newCollection(api);
  const items = (item: unknown) => Array.from({ length: 100_000 }, () => item);
  for (const [kind, body] of [
    ['batch', { documents: items({}) }],
    ['batch-update', { updates: items({ id: 'x' }) }],
    ['batch-delete', { ids: items('x') }],
  ] as const) {
    const reply = await api.post(`${path}/${kind}`, body);
    expect([400, 413]).toContain(reply.status);
    expect(['batch_too_large', 'body_too_large']).toContain(reply.body.error.code);
  }
  expect(await total(path)).toBe(0);
});

test('D8: one bad item anywhere in a batch leaves the collection as it was', async () => {
  const { path } = await newCollection(api);
  const { id } = await newDocument(api, path, { n: 0 });
  for (const at of [0, 1, 499, 999]) {
    const documents = Array.from({ length: 1000 }, (_, index) => (index === at ? { $bad: 1 } : { index }));
    const created = await api.post(`${path}/batch`, { documents });
    expect([created.status, created.body.error.details.index]).toEqual([400, at]);
    const updates = Array.from({ length: 1000 }, (_, index) => ({
      id: index === at ? 'x' : id,
      $increment: { n: 1 },
    }));
    const updated = await api.post(`${path}/batch-update`, { updates });
    expect([updated.status, updated.body.error.details.index]).toEqual([400, at]);
  }
  expect((await api.get(path)).body).toMatchObject({ total: 1, data: [{ id, n: 0 }] });
});

test('D8: a small batch-update of many large documents is carried out or refused, not a fault', async () => {
  const { name, path } = await newCollection(api);
  const { id } = await newDocument(api, path, {});
  const stored = new Stored(t, t.projects[0]);
  const { number } = await stored.collection(name);
  await stored.query(
    `INSERT INTO cell.every_document (project_id, collection, id, updated_at, data)
     SELECT $1, $3, overlay($2::text placing lpad(to_hex(n), 8, '0') from 1)::uuid, 1, jsonb_build_object('a', repeat('x', 1000000))
     FROM generate_series(1, 540) AS n`,
    [id, number],
  );
  const rows = await stored.query<{ id: string }>(
    'SELECT id FROM cell.every_document WHERE project_id = $1 AND collection = $3 AND id <> $2',
    [id, number],
  );
  expect(rows).toHaveLength(540);
  const reply = await api.post(`${path}/batch-update`, {
    updates: rows.map((row) => ({ id: row.id, n: 1 })),
  });
  expect([200, 400, 413]).toContain(reply.status);
});

test.each([10_000, 300_000])(
  'D9: a string of %i characters is stored, found, sorted and paged',
  async (length) => {
    const { path } = await newCollection(api);
    const long = 'é'.repeat(length);
    const values = [`${long}a`, `${long}c`, `${long}b`, long];
    for (const value of values) expect((await api.post(path, { value })).status).toBe(201);
    const sorted = values.toSorted();
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 4; pages += 1) {
      const { body } = await api.get(`${path}?orderBy=value&limit=1${cursor}`);
      seen.push(body.data[0].value);
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen.map((value) => sorted.indexOf(value))).toEqual([0, 1, 2, 3]);
    expect((await api.get(`${path}?value__endswith=%C3%89B&select=id`)).body.total).toBe(1);
    expect((await api.get(`${path}?value__startswith=%C3%A9%C3%A9&select=id`)).body.total).toBe(4);
    expect((await api.get(`${path}?value__gt=%C3%A9&select=id`)).body.total).toBe(4);
  },
);
