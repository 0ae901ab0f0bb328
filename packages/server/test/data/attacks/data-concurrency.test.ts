// @postgres newest
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { eventually, Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let stored: Stored;
let nodes: [GuardedClient, GuardedClient];
let neighbours: Neighbours;
beforeAll(async () => {
  stored = new Stored(t, t.projects[0]);
  const key = { 'x-api-key': t.projects[0].apiKey };
  nodes = [new GuardedClient(t.url, key), new GuardedClient((await t.node()).url, key)];
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

const either = (n: number): GuardedClient => nodes[n % 2]!;
const times = <Result>(count: number, make: (n: number) => Result): Result[] =>
  Array.from({ length: count }, (_, n) => make(n));
const statusesOf = (replies: readonly Reply[]) =>
  [...new Set(replies.map(({ status }) => status))].toSorted((a, b) => a - b);

/** Nothing of a deleted collection is left: no documents, no counts, nothing still to do. */
async function expectNoOrphans(number: number): Promise<void> {
  await eventually('no documents', async () => (await stored.documents(number)) === 0);
  await eventually('no purges', async () => (await stored.purges()) === 0);
  expect(await stored.documents(number)).toBe(0);
  expect(await stored.counted(number)).toEqual({ rows: 0, sum: 0 });
}

test('D12: 100 parallel PATCHes of different fields lose none', async () => {
  const { path } = await newCollection(nodes[0]);
  const { id } = await newDocument(nodes[0], path, { kept: 'as it was' });
  const replies = await Promise.all(times(100, (n) => either(n).patch(`${path}/${id}`, { [`f${n}`]: n })));
  expect(statusesOf(replies)).toEqual([200]);
  const read = await nodes[0].get(`${path}/${id}`);
  expect(read.body.data).toMatchObject({
    kept: 'as it was',
    ...Object.fromEntries(times(100, (n) => [`f${n}`, n])),
  });
  expect(read.headers.get('etag')).toBe('"101"');
});

test('D12: PATCH, PUT and DELETE of one document at once leave one of their outcomes', async () => {
  const { name, path } = await newCollection(nodes[0]);
  for (let round = 0; round < 10; round += 1) {
    const { id } = await newDocument(nodes[0], path, { a: 0 });
    const [patched, put, deleted] = await Promise.all([
      nodes[0].patch(`${path}/${id}`, { b: 1 }),
      nodes[1].put(`${path}/${id}`, { c: 1 }),
      nodes[0].delete(`${path}/${id}`),
    ]);
    expect(deleted.status).toBe(200);
    for (const { status } of [patched, put]) expect([200, 404]).toContain(status);
    expect((await nodes[1].get(`${path}/${id}`)).status).toBe(404);
  }
  const { number } = await stored.collection(name);
  expect(await stored.documents(number)).toBe(0);
  expect((await stored.counted(number)).sum).toBe(0);
});

test('D12: of 20 parallel deletions of a document one deletes, and the count falls by one', async () => {
  const { path } = await newCollection(nodes[0]);
  const { id } = await newDocument(nodes[0], path, {});
  await newDocument(nodes[0], path, {});
  const replies = await Promise.all([
    ...times(10, (n) => either(n).delete(`${path}/${id}`)),
    ...times(10, (n) => either(n).post(`${path}/batch-delete`, { ids: [id] })),
  ]);
  const won = replies.filter(
    ({ status, body }) => status === 200 && (body.data.deleted === true || body.data.deleted === 1),
  );
  expect(won).toHaveLength(1);
  expect((await nodes[1].get(path)).body.total).toBe(1);
});

test.each([1, 1001])(
  'D12: creates racing with the deletion of a collection of %i leave no orphans',
  async (size) => {
    for (let round = 0; round < 4; round += 1) {
      const { name, path } = await newCollection(nodes[0]);
      for (let left = size; left > 0; left -= 1000) {
        await nodes[0].post(`${path}/batch`, { documents: times(Math.min(left, 1000), () => ({})) });
      }
      if (size > 1000)
        await eventually('sixteen rows', async () => (await stored.collection(name)).slots === 16);
      const { number } = await stored.collection(name);
      const write = (n: number): Promise<Reply> => {
        if (n % 4 === 0) return either(n).post(`${path}/batch`, { documents: [{}, {}] });
        if (n % 4 === 1) return either(n).post(path, { n }, { headers: { 'Idempotency-Key': `k${n}` } });
        return either(n).post(path, { n });
      };
      const [deleted, ...created] = await Promise.all([nodes[1].delete(path), ...times(24, write)]);
      expect(deleted.status).toBe(200);
      for (const { status } of created) expect([201, 404]).toContain(status);
      await expectNoOrphans(number);
      const late = await Promise.all(times(4, (n) => either(n).post(path, { n })));
      expect(statusesOf(late)).toEqual([404]);
      expect(await stored.documents(number)).toBe(0);
    }
  },
);

test('D12: while a collection is renamed, every write is by its old name, by its new one, or 404', async () => {
  const { id, name, path } = await newCollection(nodes[0]);
  const document = await newDocument(nodes[0], path, {});
  const names = [name, `${name}x`];
  let created = 1;
  for (let round = 0; round < 6; round += 1) {
    const [from, to] = [names[round % 2]!, names[(round + 1) % 2]!];
    const [renamed, byId, ...byName] = await Promise.all([
      nodes[0].patch(`/collections/${from}`, { name: to }),
      nodes[1].patch(`/collections/${id}/${document.id}`, { [`round${round}`]: true }),
      ...times(8, (n) => either(n).post(`/collections/${names[n % 2]!}`, { round })),
    ]);
    expect(renamed.status).toBe(200);
    expect(byId.status).toBe(200);
    for (const { status } of byName) expect([201, 404]).toContain(status);
    created += byName.filter(({ status }) => status === 201).length;
    await eventually(
      'both nodes know the new name',
      async () => (await nodes[1].get(`/collections/${from}`)).status === 404,
    );
  }
  const list = await nodes[1].get(`/collections/${id}`);
  expect(list.body).toMatchObject({ total: created, collection: { documentCount: created } });
  const read = (await nodes[0].get(`/collections/${id}/${document.id}`)).body.data;
  for (let round = 0; round < 6; round += 1) expect(read[`round${round}`]).toBe(true);
});

type Move = 'create' | 'patch' | 'delete document' | 'rename' | 'delete collection' | 'recreate';
const move = fc.constantFrom<Move>(
  'create',
  'create',
  'patch',
  'delete document',
  'rename',
  'delete collection',
  'recreate',
);

async function make(n: number, what: Move, document: string): Promise<Reply> {
  const api = either(n);
  const path = `/collections/${n % 3 === 0 ? 'race-b' : 'race-a'}`;
  switch (what) {
    case 'create':
      return api.post(path, { n });
    case 'patch':
      return api.patch(`${path}/${document}`, { [`f${n}`]: n });
    case 'delete document':
      return api.delete(`${path}/${document}`);
    case 'rename':
      return api.patch('/collections/race-a', { name: 'race-b' });
    case 'delete collection':
      return api.delete(path);
    case 'recreate':
      return api.post('/collections', { name: 'race-a' });
  }
}

test('D12: whatever runs at once, what is left adds up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(move, { minLength: 2, maxLength: 8 }), { maxLength: 4 }),
      async (rounds) => {
        await nodes[0].post('/collections', { name: 'race-a' });
        const first = await nodes[0].post('/collections/race-a', {});
        for (const moves of rounds) {
          const replies = await Promise.all(moves.map((what, n) => make(n, what, first.body.data.id)));
          for (const { status } of replies) expect([200, 201, 400, 404]).toContain(status);
        }
        const rows = await stored.query<{ number: number; counted: string; found: string }>(
          `SELECT number, (SELECT count(*) FROM cell.every_document AS d WHERE d.project_id = $1 AND d.collection = number) AS found,
           (SELECT sum(documents) FROM cell.document_counts AS c WHERE c.project_id = $1 AND c.collection = number) AS counted
         FROM cell.collections WHERE project_id = $1`,
        );
        for (const { counted, found } of rows) expect(counted).toBe(found);
        for (const name of ['race-a', 'race-b']) await nodes[0].delete(`/collections/${name}`);
      },
    ),
    { numRuns: 12 },
  );
  // A sweep passes over a document that a writer holds at that moment; one more deletion starts another.
  const last = await newCollection(nodes[0]);
  await nodes[0].delete(last.path);
  await eventually('no purges', async () => (await stored.purges()) === 0);
  const orphans = await stored.query(
    `SELECT collection FROM cell.every_document WHERE project_id = $1
       AND collection NOT IN (SELECT number FROM cell.collections WHERE project_id = $1)
     UNION ALL SELECT collection FROM cell.document_counts WHERE project_id = $1
       AND collection NOT IN (SELECT number FROM cell.collections WHERE project_id = $1)`,
  );
  expect(orphans).toEqual([]);
});
