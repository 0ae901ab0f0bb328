import { beforeAll, expect, test } from 'vitest';
import {
  type Collection,
  type CollectionIndex,
  findCollection,
} from '../../../src/features/data/collections/index.ts';
import { buildUnique, dropUniqueValues } from '../../../src/features/data/unique-values/index.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { doorTo, expectDuplicate, heldIn, recordUnique } from '../../support/indexes/unique-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let db: ProjectDb;
beforeAll(async () => {
  db = await doorTo(t);
});

/** A collection with so many documents, `n` counting up; their ids. */
async function filled(count: number): Promise<{ path: string; name: string; ids: string[] }> {
  const { path, name } = await newCollection(t.api);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1000) {
    const documents = Array.from({ length: Math.min(1000, count - n) }, (_, at) => ({ n: n + at }));
    const { body } = await t.api.post(`${path}/batch`, { documents });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
  }
  return { path, name, ids };
}

async function build(collection: Collection, index: CollectionIndex) {
  const steps: Awaited<ReturnType<typeof buildUnique>>[] = [];
  let after: string | undefined;
  do {
    const step = await buildUnique(db, collection, index, after);
    steps.push(step);
    after = step.last;
  } while (after !== undefined && steps.length < 20);
  return steps;
}

test('building takes 2,000 documents at a time, in the order of their ids, and can be done again from anywhere', async () => {
  const { path, name, ids } = await filled(4100);
  const { collection, index } = await recordUnique(db, name, ['n']);
  const steps = await build(collection, index);
  expect(steps.map(({ count, last }) => [count, last])).toEqual([
    [2000, ids[1999]],
    [2000, ids[3999]],
    [100, undefined],
  ]);
  expect(await heldIn(db, collection.number)).toEqual(new Map([[index.id, ids]]));
  const again = [...(await build(collection, index)), await buildUnique(db, collection, index, ids[1000])];
  expect([...steps, ...again].flatMap(({ duplicates }) => duplicates)).toEqual([]);
  expect(await heldIn(db, collection.number)).toEqual(new Map([[index.id, ids]]));
  for (const n of [0, 1999, 2000, 4099]) expectDuplicate(await t.api.post(path, { n }), ['n']);
  await newDocument(t.api, path, { n: 4100 });
});

test('a step ends at the end of an empty collection, and at exactly 2,000 documents', async () => {
  const empty = await filled(0);
  const one = await recordUnique(db, empty.name, ['n']);
  expect(await build(one.collection, one.index)).toEqual([{ last: undefined, count: 0, duplicates: [] }]);
  const full = await filled(2000);
  const two = await recordUnique(db, full.name, ['n']);
  expect((await build(two.collection, two.index)).map(({ count }) => count)).toEqual([2000, 0]);
});

test('documents that have the same values are named, three pairs at most; missing and null are none', async () => {
  const { path, name } = await newCollection(t.api);
  const values = [1, 'x', 1, null, null, undefined, 'x', { a: 1, b: 2 }, 1, { b: 2, a: 1 }, [1], [1]];
  const { body } = await t.api.post(`${path}/batch`, {
    documents: values.map((v) => ({ in: { v }, w: [null] })),
  });
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  const { collection, index } = await recordUnique(db, name, ['in.v', 'w']);
  const step = await buildUnique(db, collection, index);
  expect(step).toEqual({
    last: undefined,
    count: values.length,
    duplicates: [
      { ids: [ids[0], ids[2]], values: [1, [null]] },
      { ids: [ids[1], ids[6]], values: ['x', [null]] },
      { ids: [ids[0], ids[8]], values: [1, [null]] },
    ].toSorted((a, b) => (a.ids[1]! < b.ids[1]! ? -1 : 1)),
  });
});

test('while it is built, writers keep their own values, and duplicates of what is not reached yet are found later', async () => {
  const { path, name, ids } = await filled(2002);
  const { collection, index } = await recordUnique(db, name, ['n']);
  // Before their turn: one goes, one changes, one is new.
  expect((await t.api.delete(`${path}/${ids[0]}`)).status).toBe(200);
  expect((await t.api.patch(`${path}/${ids[1]}`, { n: 'changed' })).status).toBe(200);
  const made = await newDocument(t.api, path, { n: 'new' });
  const first = await buildUnique(db, collection, index);
  expect(first.duplicates).toEqual([]);
  for (const n of ['changed', 'new', 2]) expectDuplicate(await t.api.post(path, { n }), ['n']);
  await newDocument(t.api, path, { n: 0 });
  await newDocument(t.api, path, { n: 1 });
  // One that its turn has not come for has this value: the step that reaches it says so.
  const thief = await newDocument(t.api, path, { n: 2001 });
  const second = await buildUnique(db, collection, index, first.last);
  expect(second.duplicates).toEqual([{ ids: [thief.id, ids[2001]], values: [2001] }]);
  expect(second.last).toBeUndefined();
  expect((await heldIn(db, collection.number)).get(index.id)).toContain(made.id);
});

test('a step waits for whoever is changing one of its documents, and sees what became of it', async () => {
  const { name, ids } = await filled(3);
  const { collection, index } = await recordUnique(db, name, ['n']);
  const other = t.cells.pool(t.projects[0].cell);
  const connection = await other.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(`UPDATE cell.every_document SET data = '{"n":2}' WHERE id = $1`, [ids[1]]);
    const step = buildUnique(db, collection, index);
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    await connection.query('COMMIT');
    expect((await step).duplicates).toEqual([{ ids: [ids[1], ids[2]], values: [2] }]);
  } finally {
    connection.release(true);
  }
});

test('the values of a dropped index go, 5,000 at a time, and only those', async () => {
  const { name, path } = await newCollection(t.api);
  const kept = await recordUnique(db, name, ['a']);
  const { collection, index } = await recordUnique(db, name, ['n']);
  const { id } = await newDocument(t.api, path, { a: 1, n: 1 });
  await db.query(sql`
    INSERT INTO cell.unique_values (project_id, collection, index_id, hash, document)
    SELECT ${db.scope}, ${collection.number}, ${index.id}, sha256(n::text::bytea), gen_random_uuid()
    FROM generate_series(1, 10000) AS n`);
  const drops: number[] = [];
  do drops.push(await dropUniqueValues(db, collection, index.id));
  while (drops.at(-1)! > 0 && drops.length < 10);
  expect(drops).toEqual([5000, 5000, 1, 0]);
  expect(await heldIn(db, collection.number)).toEqual(new Map([[kept.index.id, [id]]]));
  expect(await findCollection(db, name)).toBeDefined();
});
