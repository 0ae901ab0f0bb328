// @postgres newest
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { eventually, Stored } from '../../support/data/stored.ts';
import { untilBuilt } from '../../support/indexes/fill.ts';
import { useTestApp } from '../../support/test-app.ts';
import { homeOf, isWaiting, movedCollection, ownTable } from './life-stage.ts';
import { answered, type Moving, makeMoving, openTransaction, tend } from './move-stage.ts';

/** Nodes of the first do their jobs; on the second a test says when they are done. */
const t = useTestApp();
const held = useTestApp({ JOB_CONCURRENCY: '0' });

const indexesOf = (posts: Moving) => answered(held.api.get(`${posts.path}/indexes`));

test.each([
  ['one after the other', 1],
  ['from many callers at once', 16],
])(
  'indexes of a small collection are built when it passes 10,000 documents, created %s',
  async (_, callers) => {
    const { path, name } = await newCollection(t.api);
    for (const [kind, fields] of [
      ['sort', ['-n']],
      ['search', ['text']],
    ])
      expect((await t.api.post(`${path}/indexes`, { kind, fields })).body.data).toMatchObject({
        state: 'ready',
        readyAt: null,
        note: 'It will be built when the collection has 10,000 documents (now 0): until then, scanning them all is fast.',
      });
    const { url } = await t.node();
    const nodes = [t.api, new Client(url, { 'x-api-key': t.projects[0].apiKey })];
    let next = 0;
    const create = async (upTo: number) => {
      while (next < upTo) {
        const size = Math.min(callers === 1 ? 500 : 90, upTo - next);
        const documents = Array.from({ length: size }, (_, at) => ({
          n: next + at,
          text: `text ${next + at}`,
        }));
        next += size;
        const { status } = await nodes[callers === 1 ? 0 : next % 2]!.post(`${path}/batch`, { documents });
        expect(status).toBe(201);
      }
    };
    const createAll = (upTo: number) => Promise.all(Array.from({ length: callers }, () => create(upTo)));
    await createAll(9999);
    expect((await t.api.get(`${path}/indexes`)).body.data[0].note).toContain('(now 9,999)');
    expect(await homeOf(t, name)).toBe('shared');
    await createAll(10_000);
    await eventually('it has moved', async () => (await homeOf(t, name)) === 'own');
    const built = await untilBuilt(t.api, name);
    expect(built.map(({ state, note }: Record<string, unknown>) => [state, note])).toEqual([
      ['ready', null],
      ['ready', null],
    ]);
    for (const { readyAt } of built) expect(Date.parse(readyAt)).toBeGreaterThan(0);
    const { body } = await t.api.get(`${path}?orderBy=n&order=desc&limit=2`);
    expect([body.total, body.data.map(({ n }: { n: number }) => n)]).toEqual([10_000, [9999, 9998]]);
    expect((await t.api.get(`${path}?text__contains=XT+777&limit=1`)).body.total).toBe(11);
    // PostgreSQL tells what it has counted a moment later, after a further query of the connection.
    await expect
      .poll(async () => {
        await t.api.get(`${path}?orderBy=n&order=desc&limit=2`);
        return (await t.api.get(`${path}/indexes`)).body.data[0];
      })
      .toMatchObject({ bytes: expect.any(Number), scans: expect.toSatisfy((scans) => scans > 0) });
  },
);

test('an index that is dropped while it is built is gone when that ends', async () => {
  const posts = await movedCollection(held, 'dropped');
  await using writer = await openTransaction(held);
  await writer.query(`UPDATE ${ownTable(posts)} SET version = version WHERE id = $1`, [posts.ids[0]]);
  const { id } = await answered(
    held.api.post(`${posts.path}/indexes`, { kind: 'search', fields: ['status'] }),
    201,
  );
  const tended = tend(held.cells, posts);
  await eventually('it is being built', () => isWaiting(held, /CREATE INDEX CONCURRENTLY/));
  expect(await indexesOf(posts)).toMatchObject([{ state: 'ready' }, { id, state: 'building', note: null }]);
  await answered(held.api.delete(`${posts.path}/indexes/${id}`));
  expect(await indexesOf(posts)).toHaveLength(1);
  const exact = { headers: { prefer: 'count=exact' } };
  expect((await held.api.get(`${posts.path}?status__contains=PE&limit=1`, exact)).body.total).toBe(750);
  await writer.query('COMMIT');
  await tended;
  const { rows } = await held.cells
    .pool(posts.cell)
    .query(`SELECT indexname FROM pg_indexes WHERE schemaname = 'own' AND indexname LIKE 'search_%'`);
  expect(rows).toEqual([]);
  const left = await new Stored(held, held.projects[0]).query(
    'SELECT FROM cell.indexes WHERE project_id = $1 AND id = $2',
    [id],
  );
  expect(left).toEqual([]);
});

test('a collection that is renamed while an index is built has it under its new name', async () => {
  const posts = await movedCollection(held, 'before');
  await using writer = await openTransaction(held);
  await writer.query(`UPDATE ${ownTable(posts)} SET version = version WHERE id = $1`, [posts.ids[0]]);
  await answered(held.api.post(`${posts.path}/indexes`, { kind: 'sort', fields: ['status', '-at'] }), 201);
  const tended = tend(held.cells, posts);
  await eventually('it is being built', () => isWaiting(held, /cell.store_keys/));
  await answered(held.api.patch(posts.path, { name: 'after' }));
  await writer.query('COMMIT');
  await tended;
  expect((await held.api.get(`${posts.path}/indexes`)).status).toBe(404);
  const renamed = { ...posts, path: '/collections/after' };
  expect(await indexesOf(renamed)).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
  const { body } = await held.api.get('/collections/after?status=open&orderBy=at&order=desc&limit=2');
  expect([body.total, body.data.map(({ at }: { at: number }) => at)]).toEqual([750, [1498, 1496]]);
});

test('how far an index is can be seen while documents move and while values are collected', async () => {
  const posts = await makeMoving(held, 'progress', 10_000);
  await using writer = await openTransaction(held);
  const lock = `SELECT FROM cell.documents WHERE project_id = ${posts.projectId} AND id = $1 FOR UPDATE`;
  await writer.query(lock, [posts.ids[9000]]);
  const asked = await answered(
    held.api.post(`${posts.path}/indexes`, { kind: 'unique', fields: ['at'] }),
    201,
  );
  expect(asked).toMatchObject({ state: 'building', progress: null, note: null, readyAt: null });
  const unique = tend(held.cells, posts);
  await eventually('it waits for a document', () => isWaiting(held, /FOR SHARE/));
  expect(await indexesOf(posts)).toMatchObject([{ progress: { done: 8000, total: 10_000 } }]);
  await writer.query('COMMIT');
  await unique;
  expect(await indexesOf(posts)).toMatchObject([{ state: 'ready', progress: null }]);
  await writer.query('BEGIN');
  await writer.query(lock, [posts.ids[9000]]);
  const sort = await answered(held.api.post(`${posts.path}/indexes`, { kind: 'sort', fields: ['at'] }), 201);
  const moves = 'The collection is first moved to its own table. Reads and writes continue.';
  expect(sort).toMatchObject({ state: 'building', note: moves });
  const moved = tend(held.cells, posts);
  await eventually('nearly all have moved', async () => {
    const { rows } = await writer.query(
      'SELECT count(*)::int AS count FROM cell.documents WHERE collection = $1',
      [posts.number],
    );
    return rows[0].count === 1;
  });
  const [, building] = await indexesOf(posts);
  expect(building).toMatchObject({ state: 'building', note: moves, progress: { total: 10_000 } });
  expect(building.progress.done).toBeGreaterThan(0);
  await writer.query('COMMIT');
  await moved;
  expect(await indexesOf(posts)).toMatchObject([
    { state: 'ready' },
    { state: 'ready', progress: null, note: null },
  ]);
});

test('a unique index fails on duplicates, names two documents, and can be asked for again when they are mended', async () => {
  const { path, name } = await newCollection(t.api);
  const values = ['a', 'x', 'b', 'x', 'c', null];
  const ids: string[] = [];
  for (const v of values) ids.push((await newDocument(t.api, path, { v })).id);
  const ask = { kind: 'unique', fields: ['v'] };
  const first = await answered(t.api.post(`${path}/indexes`, ask), 201);
  const [failed] = await untilBuilt(t.api, name);
  expect(failed).toMatchObject({ id: first.id, state: 'failed', progress: null, readyAt: null });
  expect(failed.failure).toContain(ids[1]);
  expect(failed.failure).toContain(ids[3]);
  expect(failed.failure).toContain('["x"]');
  // It constrains nothing now.
  await newDocument(t.api, path, { v: 'a' });
  const [{ id: another }] = await answered(t.api.get(`${path}?v=a&limit=1`));
  await answered(t.api.patch(`${path}/${another}`, { v: 'd' }));
  // The one that had the value first gives it up, while nobody keeps values.
  await answered(t.api.patch(`${path}/${ids[1]}`, { v: 'y' }));
  await answered(t.api.delete(`${path}/${ids[2]}`));
  await answered(t.api.post(`${path}/indexes`, ask), 201);
  expect(await untilBuilt(t.api, name)).toMatchObject([{ state: 'ready', failure: null }]);
  for (const v of ['a', 'x', 'y', 'c', 'd'])
    expect(await t.api.post(path, { v }), v).toFailWith(400, 'duplicate_value');
  // What was given up meanwhile is free.
  await newDocument(t.api, path, { v: 'b' });
});

test('a unique index that failed can be dropped and asked for again at once', async () => {
  const { path, name } = await newCollection(t.api);
  const [one] = [await newDocument(t.api, path, { v: 1 }), await newDocument(t.api, path, { v: 1 })];
  const ask = { kind: 'unique', fields: ['v'] };
  const { id } = await answered(t.api.post(`${path}/indexes`, ask), 201);
  expect(await untilBuilt(t.api, name)).toMatchObject([{ state: 'failed' }]);
  await answered(t.api.patch(`${path}/${one.id}`, { v: 2 }));
  await answered(t.api.delete(`${path}/indexes/${id}`));
  await answered(t.api.post(`${path}/indexes`, ask), 201);
  expect(await untilBuilt(t.api, name)).toMatchObject([{ state: 'ready' }]);
  for (let round = 0; round < 5; round += 1) {
    const [{ id: known }] = await answered(t.api.get(`${path}/indexes`));
    await answered(t.api.delete(`${path}/indexes/${known}`));
    await newDocument(t.api, path, { v: 1 });
    await answered(t.api.post(`${path}/indexes`, ask), 201);
    const [failed] = await untilBuilt(t.api, name);
    expect(failed.state).toBe('failed');
    const [newest] = await answered(t.api.get(`${path}?v=1&limit=1`));
    await answered(t.api.delete(`${path}/${newest.id}`));
    await answered(t.api.post(`${path}/indexes`, ask), 201);
    expect(await untilBuilt(t.api, name)).toMatchObject([{ state: 'ready' }]);
  }
  expect(await t.api.post(path, { v: 1 })).toFailWith(400, 'duplicate_value');
});

test('one that waits for the collection to grow can be dropped and asked for again', async () => {
  const { path } = await newCollection(t.api);
  const ask = { kind: 'sort', fields: ['a', '-b'] };
  for (let round = 0; round < 5; round += 1) {
    const { id } = await answered(t.api.post(`${path}/indexes`, ask), 201);
    await answered(t.api.delete(`${path}/indexes/${id}`));
    expect(await answered(t.api.get(`${path}/indexes`))).toEqual([]);
  }
  const { id } = await answered(t.api.post(`${path}/indexes`, ask), 201);
  await eventually('the others are gone', async () => {
    const rows = await new Stored(t, t.projects[0]).query<{ id: string }>(
      `SELECT id FROM cell.indexes WHERE project_id = $1 AND fields = '{a,-b}'`,
    );
    return rows.length === 1 && rows[0]!.id === id;
  });
});
