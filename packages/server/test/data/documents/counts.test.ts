// @tables own moving
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { eventually, Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let stored: Stored;
let nodes: Client[];
beforeAll(async () => {
  stored = new Stored(t, t.projects[0]);
  nodes = [t.api, new Client((await t.node()).url, { 'x-api-key': t.projects[0].apiKey })];
});

/** Every figure that says how many documents there are, against the rows there are. */
async function expectExact(name: string, expected: number): Promise<void> {
  const { number } = await stored.collection(name);
  expect(await stored.documents(number)).toBe(expected);
  expect((await stored.counted(number)).sum).toBe(expected);
  for (const api of nodes) {
    const { body } = await api.get(`/collections/${name}?limit=1`);
    expect(body).toMatchObject({ total: expected, collection: { documentCount: expected } });
    const collections = (await api.get('/collections')).body.data as {
      name: string;
      documentCount: number;
    }[];
    expect(collections.find((one) => one.name === name)?.documentCount).toBe(expected);
  }
}

type Step =
  | { kind: 'create' }
  | { kind: 'delete'; which: number }
  | { kind: 'batch'; size: number; bad: boolean }
  | { kind: 'batch-delete'; which: number[]; absent: boolean }
  | { kind: 'update'; which: number };

const which = fc.nat({ max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const) }),
  fc.record({ kind: fc.constant('delete' as const), which }),
  fc.record({ kind: fc.constant('batch' as const), size: fc.nat({ max: 5 }), bad: fc.boolean() }),
  fc.record({
    kind: fc.constant('batch-delete' as const),
    which: fc.array(which, { maxLength: 4 }),
    absent: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('update' as const), which }),
);

/** Does one step and keeps the set of ids that must exist after it. */
async function perform(api: Client, path: string, live: Set<string>, step: Step): Promise<void> {
  const pick = (at: number): string => [...live][at % Math.max(1, live.size)] ?? 'none';
  switch (step.kind) {
    case 'create':
      live.add((await api.post(path, {})).body.data.id);
      return;
    case 'delete': {
      const id = pick(step.which);
      expect((await api.delete(`${path}/${id}`)).status).toBe(live.delete(id) ? 200 : 404);
      return;
    }
    case 'batch': {
      const documents: object[] = Array.from({ length: step.size }, () => ({}));
      if (step.bad) documents.push({ $bad: 1 });
      const { status, body } = await api.post(`${path}/batch`, { documents });
      expect(status).toBe(step.bad ? 400 : 201);
      for (const { id } of body.data ?? []) live.add(id);
      return;
    }
    case 'batch-delete': {
      const ids = step.which.map(pick);
      const { body } = await api.post(`${path}/batch-delete`, {
        ids: step.absent ? [...ids, 'absent'] : ids,
      });
      expect(body.data.deleted).toBe(ids.filter((id) => live.delete(id)).length);
      return;
    }
    case 'update':
      await api.patch(`${path}/${pick(step.which)}`, { changed: true });
  }
}

test('documentCount and total are exact after any sequence of writes, on both nodes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat({ max: 1 }), step), { maxLength: 15 }), async (steps) => {
      const { name, path } = await newCollection(t.api);
      const live = new Set<string>();
      for (const [node, one] of steps) await perform(nodes[node]!, path, live, one);
      await expectExact(name, live.size);
      await t.api.delete(path);
    }),
    { numRuns: 25 },
  );
});

/** One of many writers: creates and deletes its own documents, and says how many it left. */
async function write(api: Client, path: string, writer: number): Promise<number> {
  const mine: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    if ((writer + round) % 3 === 0) {
      const { body } = await api.post(`${path}/batch`, { documents: [{}, {}, {}] });
      mine.push(...body.data.map(({ id }: { id: string }) => id));
    } else mine.push((await api.post(path, { writer, round })).body.data.id);
    if (round % 2 === 1) expect((await api.delete(`${path}/${mine.shift()}`)).status).toBe(200);
    if (round === 6) {
      const ids = mine.splice(0, 2);
      expect((await api.post(`${path}/batch-delete`, { ids })).body.data.deleted).toBe(2);
    }
  }
  return mine.length;
}

async function writeInParallel(path: string): Promise<number> {
  const left = await Promise.all(Array.from({ length: 20 }, (_, at) => write(nodes[at % 2]!, path, at)));
  return left.reduce((sum, count) => sum + count, 0);
}

test('20 parallel writers on two nodes leave an exact count', async () => {
  const { name, path } = await newCollection(t.api);
  await expectExact(name, await writeInParallel(path));
});

test('the count stays exact while a collection passes 1,000 documents and spreads to 16 rows', async () => {
  const { name, path } = await newCollection(t.api);
  const documents = Array.from({ length: 900 }, () => ({}));
  await t.api.post(`${path}/batch`, { documents });
  const { number, slots } = await stored.collection(name);
  expect(slots).toBe(1);
  // The writers go past the thousand on the way: some count in one row, some in sixteen.
  const left = await writeInParallel(path);
  await expectExact(name, 900 + left);
  await t.api.post(`${path}/batch`, { documents });
  await eventually('the count spreads', async () => (await stored.collection(name)).slots === 16);
  expect((await stored.counted(number)).rows).toBe(16);
  const more = await writeInParallel(path);
  await expectExact(name, 1800 + left + more);
  const rows = await stored.query(
    'SELECT slot FROM cell.document_counts WHERE project_id = $1 AND collection = $2 AND documents <> 0',
    [number],
  );
  expect(rows.length).toBeGreaterThan(1);
});

test('a collection that spread counts down to zero again', async () => {
  const { name, path } = await newCollection(t.api);
  const documents = Array.from({ length: 1000 }, () => ({}));
  const { body } = await t.api.post(`${path}/batch`, { documents });
  await eventually('the count spreads', async () => (await stored.collection(name)).slots === 16);
  const ids = body.data.map(({ id }: { id: string }) => id) as string[];
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      nodes[at % 2]!.post(`${path}/batch-delete`, { ids: ids.slice(at * 100, at * 100 + 100) }),
    ),
  );
  await expectExact(name, 0);
});

test('a filtered total is exact up to 100 and says when it is only a floor', async () => {
  const { path } = await newCollection(t.api);
  const fill = (count: number) =>
    t.api.post(`${path}/batch`, { documents: Array.from({ length: count }, () => ({ a: 1 })) });
  await fill(100);
  expect((await t.api.get(`${path}?a=1`)).body).toMatchObject({ total: 100, hasMore: true });
  expect((await t.api.get(`${path}?a=1`)).body).not.toHaveProperty('totalIsFloor');
  await fill(5);
  expect((await t.api.get(`${path}?a=1`)).body).toMatchObject({ total: 100, totalIsFloor: true });
  const exact = await t.api.get(`${path}?a=1`, { headers: { Prefer: 'count=exact' } });
  expect(exact.body).toMatchObject({ total: 105 });
  expect(exact.body).not.toHaveProperty('totalIsFloor');
});
