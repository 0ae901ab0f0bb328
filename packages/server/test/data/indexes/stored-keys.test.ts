// @postgres newest
import { afterEach, expect, test, vi } from 'vitest';
import { newCollection } from '../../support/data/new-collection.ts';
import { eventually, Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';
import { isWaiting, movedCollection, ownTable } from './life-stage.ts';
import { Feed } from './move-feed.ts';
import { answered, type Moving, openTransaction, stopAfter, tend } from './move-stage.ts';

const t = useTestApp({ JOB_CONCURRENCY: '0' });
afterEach(() => {
  vi.useRealTimers();
});

const pool = (posts: Moving) => t.cells.pool(posts.cell);

async function addIndex(posts: Moving, ...fields: string[]): Promise<string> {
  const { id } = await answered(t.api.post(`${posts.path}/indexes`, { kind: 'sort', fields }), 201);
  return id;
}

/** The paths whose keys the table holds, in their places. */
async function keysOf({ number }: Moving): Promise<(string | null)[]> {
  const [row] = await new Stored(t, t.projects[0]).query<{ keys: ({ path: string[] } | null)[] }>(
    'SELECT stored_keys AS keys FROM cell.collections WHERE project_id = $1 AND number = $2',
    [number],
  );
  return row!.keys.map((key) => key && key.path.join('.'));
}

/** Documents whose keys are not those of their fields. */
async function wrongKeys(posts: Moving): Promise<unknown[]> {
  const keys = await keysOf(posts);
  const expected = keys.map((path) =>
    path === null
      ? 'NULL'
      : `cell.sort_key(data ${path
          .split('.')
          .map((step) => `-> '${step}'`)
          .join(' ')})`,
  );
  const { rows } = await pool(posts).query(
    `SELECT id, keys FROM ${ownTable(posts)} WHERE keys IS DISTINCT FROM ARRAY[${expected.join(', ')}]::jsonb[] LIMIT 3`,
  );
  return rows;
}

/** What a list by an index finds, and what every document says of itself. */
async function expectSame(posts: Moving, field: string, values: readonly string[]): Promise<void> {
  const { rows } = await pool(posts).query<{ value: unknown; count: number }>(
    `SELECT data -> '${field}' AS value, count(*)::int AS count FROM ${ownTable(posts)} GROUP BY 1`,
  );
  for (const value of values) {
    const exact = { headers: { prefer: 'count=exact' } };
    const { body } = await t.api.get(`${posts.path}?${field}=${value}&orderBy=${field}&limit=1`, exact);
    expect([value, body.total]).toEqual([value, rows.find((row) => row.value === value)?.count ?? 0]);
  }
}

test('a change of a field that no index has leaves all indexes alone, and one of a field that has one is found', async () => {
  const posts = await movedCollection(t, 'hot');
  await addIndex(posts, 'status', '-at');
  await addIndex(posts, 'deep.er');
  await tend(t.cells, posts);
  expect(new Set(await keysOf(posts))).toEqual(new Set(['at', 'status', 'deep.er']));
  expect(await wrongKeys(posts)).toEqual([]);
  const updates = async () => {
    const { rows } = await pool(posts).query(
      `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relid = $1::regclass`,
      [ownTable(posts)],
    );
    return rows[0] as { all: number; hot: number };
  };
  // Pages as after a while: with room.
  await pool(posts).query(`VACUUM FULL ${ownTable(posts)}`);
  await eventually('PostgreSQL has counted what was filled', async () => (await updates()).all >= 1500);
  const before = await updates();
  const ids = posts.ids.filter((_, at) => at % 30 === 0);
  for (const id of ids) await answered(t.api.patch(`${posts.path}/${id}`, { counter: 7 }));
  await eventually(
    'PostgreSQL has counted them',
    async () => (await updates()).all >= before.all + ids.length,
  );
  expect((await updates()).hot - before.hot).toBeGreaterThanOrEqual(ids.length * 0.9);
  await answered(t.api.patch(`${posts.path}/${ids[0]}`, { deep: { er: 'found' }, status: 'new' }));
  for (const query of ['deep.er=found', 'status=new&orderBy=at', 'deep.er__isnull=false'])
    expect((await answered(t.api.get(`${posts.path}?${query}`))).map(({ id }: { id: string }) => id)).toEqual(
      [ids[0]],
    );
});

test('the first index of a collection finds its keys there once the documents have moved', async () => {
  const posts = await movedCollection(t, 'first');
  expect(await keysOf(posts)).toEqual(['at']);
  expect(await wrongKeys(posts)).toEqual([]);
  const { rows } = await pool(posts).query(
    'SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND tablename = $2 ORDER BY indexname DESC LIMIT 1',
    ownTable(posts).split('.'),
  );
  expect(rows[0].indexdef).toContain('(keys[1])');
});

test('whatever is written while keys are filled, every document has its own', async () => {
  const posts = await movedCollection(t, 'busy', 3000);
  await using holder = await openTransaction(t);
  // One is held and changed, one is held and left as it was.
  await holder.query(`SELECT FROM ${ownTable(posts)} WHERE id = ANY ($1) FOR UPDATE`, [
    [posts.ids[100], posts.ids[2000]],
  ]);
  const state = { isOver: false };
  const write = async (writer: number) => {
    for (let at = writer; !state.isOver; at += 7) {
      const id = posts.ids[(at * 13) % posts.ids.length]!;
      if (id === posts.ids[100] || id === posts.ids[2000]) continue;
      await answered(t.api.patch(`${posts.path}/${id}`, { status: `s${at % 5}` }));
      if (at % 3 === 0) await answered(t.api.post(posts.path, { at: -1, status: `s${at % 5}` }), 201);
    }
  };
  const writers = Promise.all([write(1), write(2), write(3), write(4)]);
  await addIndex(posts, 'status');
  await addIndex(posts, 'counter');
  const tended = tend(t.cells, posts);
  await eventually('all but what is held has keys', async () => {
    const { rows } = await pool(posts).query(
      `SELECT count(*)::int AS count FROM ${ownTable(posts)} WHERE keys[2] IS NULL OR keys[3] IS NULL`,
    );
    return (await keysOf(posts)).length === 3 && rows[0].count === 2;
  });
  await holder.query(
    `UPDATE ${ownTable(posts)} SET data = data || '{"status": "held"}', version = version + 1 WHERE id = $1`,
    [posts.ids[100]],
  );
  await holder.query('COMMIT');
  await tended;
  state.isOver = true;
  await writers;
  expect(new Set(await keysOf(posts))).toEqual(new Set(['at', 'status', 'counter']));
  expect(await wrongKeys(posts)).toEqual([]);
  await expectSame(posts, 'status', ['open', 'closed', 'held', 's0', 's1', 's2', 's3', 's4']);
});

test.each([
  ['a document whose keys were not filled', 'keys = NULL'],
  ['a document with keys of before', `data = data || '{"at": -5}'`],
])('the check of keys finds %s', async (_, planted) => {
  const posts = await movedCollection(t, `planted-${planted.length}`);
  const table = ownTable(posts);
  await pool(posts).query(
    `ALTER TABLE ${table} DISABLE TRIGGER keys; UPDATE ${table} SET ${planted} WHERE id = '${posts.ids[7]}'`,
  );
  expect(await wrongKeys(posts)).toMatchObject([{ id: posts.ids[7] }]);
});

test('keys wait for a write that began before them', async () => {
  const posts = await movedCollection(t, 'waits');
  await using writer = await openTransaction(t);
  await writer.query(`UPDATE ${ownTable(posts)} SET version = version WHERE id = $1`, [posts.ids[0]]);
  await addIndex(posts, 'status');
  const tended = tend(t.cells, posts);
  await eventually('it waits', () => isWaiting(t, /cell.store_keys/));
  expect(await keysOf(posts)).toEqual(['at']);
  // Those who write do not wait for as long.
  await answered(t.api.patch(`${posts.path}/${posts.ids[1]}`, { status: 'meanwhile' }));
  await writer.query(
    `INSERT INTO ${ownTable(posts)} (project_id, collection, id, version, updated_at, bytes, data)
     SELECT project_id, collection, cell_id, 1, 0, bytes, '{"status": "late"}' FROM (
       SELECT *, overlay(id::text PLACING 'ffff' FROM 33)::uuid AS cell_id FROM ${ownTable(posts)} LIMIT 1) AS one`,
  );
  await writer.query('COMMIT');
  await tended;
  expect(await wrongKeys(posts)).toEqual([]);
  await expectSame(posts, 'status', ['late', 'meanwhile', 'open']);
});

test('filling that is stopped goes on where it was', async () => {
  const posts = await movedCollection(t, 'stopped', 3000);
  await addIndex(posts, 'status');
  for (let stop = 2; stop < 12; stop += 1)
    await tend(t.cells, posts, stopAfter(stop)).catch((error: Error) => {
      expect(error.message).toBe('stopped here');
    });
  await tend(t.cells, posts);
  expect(await wrongKeys(posts)).toEqual([]);
  await expectSame(posts, 'status', ['open', 'closed']);
});

test('a dropped index leaves its key for an hour, and an index that comes back finds it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  const posts = await movedCollection(t, 'dropped');
  const status = await addIndex(posts, 'status');
  await tend(t.cells, posts);
  await answered(t.api.delete(`${posts.path}/indexes/${status}`));
  await tend(t.cells, posts);
  await addIndex(posts, 'counter');
  await tend(t.cells, posts);
  expect(await keysOf(posts)).toEqual(['at', 'status', 'counter']);
  const again = await addIndex(posts, 'status');
  await tend(t.cells, posts);
  expect(await keysOf(posts)).toEqual(['at', 'status', 'counter']);
  await expectSame(posts, 'status', ['open', 'closed']);
  await answered(t.api.delete(`${posts.path}/indexes/${again}`));
  await tend(t.cells, posts);
  await addIndex(posts, 'more');
  await tend(t.cells, posts);
  vi.setSystemTime(Date.now() + 3_601_000);
  await addIndex(posts, 'most');
  await tend(t.cells, posts);
  expect(await keysOf(posts)).toEqual(['at', null, 'counter', 'more', 'most']);
  expect(await wrongKeys(posts)).toEqual([]);
  await addIndex(posts, 'status');
  await tend(t.cells, posts);
  // All documents were written again with 'most', so nothing is left of what was in the place that became empty.
  expect(await keysOf(posts)).toEqual(['at', 'status', 'counter', 'more', 'most']);
  expect(await wrongKeys(posts)).toEqual([]);
  await expectSame(posts, 'status', ['open', 'closed']);
});

test('however many indexes come and go, the keys stay few', async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  const posts = await movedCollection(t, 'many');
  for (let round = 0; round < 12; round += 1) {
    const id = await addIndex(posts, `field${round}`);
    await tend(t.cells, posts);
    expect(await wrongKeys(posts)).toEqual([]);
    await answered(t.api.delete(`${posts.path}/indexes/${id}`));
    await tend(t.cells, posts);
    vi.setSystemTime(Date.now() + 3_601_000);
  }
  expect((await keysOf(posts)).length).toBeLessThan(6);
});

test('a place is given away only once no document has the key of before', async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  const posts = await movedCollection(t, 'left');
  const status = await addIndex(posts, 'status');
  await tend(t.cells, posts);
  await answered(t.api.delete(`${posts.path}/indexes/${status}`));
  await tend(t.cells, posts);
  // Indexes that need no new keys leave the documents as they are.
  await addIndex(posts, '-at');
  await tend(t.cells, posts);
  vi.setSystemTime(Date.now() + 3_601_000);
  await addIndex(posts, 'at', '-createdAt');
  await tend(t.cells, posts);
  expect(await keysOf(posts)).toEqual(['at', null]);
  expect(await wrongKeys(posts)).not.toEqual([]);
  await addIndex(posts, 'counter');
  await tend(t.cells, posts);
  expect(await keysOf(posts)).toEqual(['at', null, 'counter']);
  expect(await wrongKeys(posts)).toEqual([]);
  await addIndex(posts, 'status');
  await tend(t.cells, posts);
  expect(await keysOf(posts)).toEqual(['at', 'status', 'counter']);
  expect(await wrongKeys(posts)).toEqual([]);
  await expectSame(posts, 'status', ['open', 'closed']);
});

test('only so many keys are held at a time', async () => {
  const posts = await movedCollection(t, 'full');
  const unused = Array.from({ length: 160 }, (_, at) => ({ path: [`gone${at}`], unusedAt: Date.now() }));
  await pool(posts).query(
    'UPDATE cell.collections SET stored_keys = $3 WHERE project_id = $1 AND number = $2',
    [posts.projectId, posts.number, JSON.stringify(unused)],
  );
  const id = await addIndex(posts, 'status');
  await tend(t.cells, posts);
  const index = (await answered(t.api.get(`${posts.path}/indexes`))).find(
    (one: { id: string }) => one.id === id,
  );
  expect(index).toMatchObject({ state: 'failed', failure: expect.stringContaining('Try again in an hour') });
});

test('names of fields are names, whatever they look like', async () => {
  const names = [`it's`, '"', String.raw`\'`, 'a$1', '%s', 'b$f$', "é' || x", 'a b', '0'];
  const posts = await movedCollection(t, 'names');
  const body = Object.fromEntries(names.map((name, at) => [name, at]));
  const { id } = await answered(t.api.post(posts.path, body), 201);
  for (const name of names) await addIndex(posts, name);
  await tend(t.cells, posts);
  const indexes = await answered(t.api.get(`${posts.path}/indexes`));
  expect(indexes.map(({ state }: { state: string }) => state)).toEqual(
    names.map(() => 'ready').concat('ready'),
  );
  for (const [at, name] of names.entries()) {
    const found = await answered(t.api.get(`${posts.path}?${encodeURIComponent(`field:${name}`)}=${at}`));
    expect([name, found.map((one: { id: string }) => one.id)]).toEqual([name, [id]]);
  }
});

test('the change feed is not told of keys', async () => {
  const posts = await movedCollection(t, 'feed');
  await using feed = await Feed.open(pool(posts));
  await addIndex(posts, 'status');
  await tend(t.cells, posts);
  await answered(t.api.patch(`${posts.path}/${posts.ids[0]}`, { counter: 1 }));
  const transactions = await feed.read();
  const updates = transactions.filter((one) =>
    one.some(({ kind, what }) => kind === 'row' && 'UT'.includes(what)),
  );
  const isFilling = (one: (typeof updates)[number]) =>
    one[0]?.kind === 'message' && one[0].what === 'plinth-move';
  const told = updates.filter((one) => !isFilling(one));
  expect(updates.length - told.length).toBeGreaterThan(1);
  // The collection's own row is of no interest to subscribers either, but it is another table.
  expect(told.flat().filter(({ kind }) => kind === 'row').length).toBeLessThan(10);
});

test('nothing is left of the keys of a collection that is deleted', async () => {
  const { path } = await newCollection(t.api);
  await answered(t.api.delete(path));
  const posts = await movedCollection(t, 'deleted');
  const functions = async () => {
    const { rows } = await pool(posts).query(
      `SELECT FROM pg_proc WHERE pronamespace = 'own'::regnamespace AND proname = $1`,
      [`keys_${posts.projectId}_${posts.number}`],
    );
    return rows.length;
  };
  expect(await functions()).toBe(1);
  await pool(posts).query('SELECT cell.drop_own_table($1, $2)', [posts.projectId, posts.number]);
  expect(await functions()).toBe(0);
});
