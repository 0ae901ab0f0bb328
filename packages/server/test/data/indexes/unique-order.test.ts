// @postgres newest
import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCollection } from '../../../src/features/data/collections/index.ts';
import type { Reply } from '../../support/client.ts';
import { newDocument } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { doorTo, expectDuplicate, uniqueCollection } from '../../support/indexes/unique-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

// Each test stops calls in the middle of their values: in another order than the one that all keep they would wait for
// each other, and PostgreSQL would end one of them.

const t = useTestApp();

let path: string;
let blocker: PoolClient;
/** Those of the values that the test may use, in the order that calls take them. */
let values: readonly number[];
let scope: readonly unknown[];
beforeEach(async () => {
  const made = await uniqueCollection(t.api, ['v']);
  path = made.path;
  const [project] = t.projects;
  const { number, indexes } = (await findCollection(await doorTo(t), made.name))!;
  scope = [await new Stored(t, project).projectId(), number, indexes[0]!.id];
  values = Array.from({ length: 5 }, (_, v) => v).toSorted((a, b) => Buffer.compare(hashOf(a), hashOf(b)));
  blocker = await t.cells.pool(project.cell).connect();
  await blocker.query('BEGIN');
});
afterEach(() => blocker.release(true));

const hashOf = (value: number) =>
  createHash('sha256')
    .update(JSON.stringify([value]))
    .digest();

/** Holds a value that no document has until `letGo`. */
const hold = (value: number) =>
  blocker.query(
    `INSERT INTO cell.unique_values (project_id, collection, index_id, hash, document)
     VALUES ($1, $2, $3, $4, gen_random_uuid())`,
    [...scope, hashOf(value)],
  );

/** Lets nobody take or give up a value that a document has until `letGo`. */
const lock = (value: number) =>
  blocker.query(
    `SELECT FROM cell.unique_values
     WHERE project_id = $1 AND collection = $2 AND index_id = $3 AND hash = $4 FOR UPDATE`,
    [...scope, hashOf(value)],
  );

const letGo = () => blocker.query('ROLLBACK');

/** Waits until so many calls wait for a lock. Not asked by the blocker: a transaction sees the same answer for ever. */
async function untilWaiting(calls: number): Promise<void> {
  const pool = t.cells.pool(t.projects[0].cell);
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(calls);
}

const update = (ids: readonly string[], given: readonly number[]): Promise<Reply> =>
  t.api.post(`${path}/batch-update`, { updates: ids.map((id, at) => ({ id, v: given[at] })) });

const idsOf = (documents: readonly { id: string }[]) => documents.map(({ id }) => id);

test.each([1, 2, 3, 4, 5])('two batches that claim the same values in opposite orders (%i)', async () => {
  const ids = idsOf((await t.api.post(`${path}/batch`, { documents: [{}, {}, {}, {}] })).body.data);
  const [first, second] = values as [number, number];
  await hold(first);
  const replies = [update(ids.slice(0, 2), [first, second]), update(ids.slice(2), [second, first])];
  await untilWaiting(2);
  await letGo();
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
});

test('a batch that claims a value which another call gives up for one that the batch has claimed', async () => {
  const [low, middle, high] = values as [number, number, number];
  const { id } = await newDocument(t.api, path, { v: high });
  await hold(middle);
  const documents = [low, middle, high].map((v) => ({ v }));
  const created = t.api.post(`${path}/batch`, { documents });
  await untilWaiting(1);
  const changed = t.api.patch(`${path}/${id}`, { v: low });
  await untilWaiting(2);
  await letGo();
  expectDuplicate(await created, ['v'], 2);
  expect((await changed).status).toBe(200);
});

test('a batch of deletions and one of changes about the same values', async () => {
  const [low, high] = values as [number, number];
  const doomed = [await newDocument(t.api, path, { v: high }), await newDocument(t.api, path, { v: low })];
  const others = [await newDocument(t.api, path, {}), await newDocument(t.api, path, {})];
  await lock(low);
  const changed = update(idsOf(others), [low, high]);
  await untilWaiting(1);
  const deleted = t.api.post(`${path}/batch-delete`, { ids: idsOf(doomed) });
  await untilWaiting(2);
  await letGo();
  expectDuplicate(await changed, ['v'], 0);
  expect((await deleted).body.data.deleted).toBe(2);
});

test('two documents that want each other’s value', async () => {
  const [low, high] = values as [number, number];
  const first = await newDocument(t.api, path, { v: low });
  const second = await newDocument(t.api, path, { v: high });
  await lock(low);
  const down = t.api.patch(`${path}/${second.id}`, { v: low });
  await untilWaiting(1);
  const up = t.api.patch(`${path}/${first.id}`, { v: high });
  await untilWaiting(2);
  await letGo();
  for (const reply of await Promise.all([down, up])) expectDuplicate(reply, ['v']);
});
