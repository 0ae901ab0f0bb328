import { beforeAll, expect, test } from 'vitest';
import { findCollection } from '../../../src/features/data/collections/index.ts';
import { Client, type Reply } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { doorTo, heldIn, uniqueCollection } from '../../support/indexes/unique-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let nodes: readonly Client[];
beforeAll(async () => {
  const { url } = await t.node();
  nodes = [t.api, new Client(url, { 'x-api-key': t.projects[0].apiKey })];
});

const node = (n: number) => nodes[n % nodes.length]!;
const outcome = ({ status, body }: Reply): string | number => (status < 300 ? status : body.error.code);

function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) counts[outcome(reply)] = (counts[outcome(reply)] ?? 0) + 1;
  return counts;
}

const times = <Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

test('A5: of 50 parallel creates with one value on two nodes exactly one succeeds', async () => {
  const { path } = await uniqueCollection(t.api, ['email']);
  for (let round = 0; round < 5; round += 1) {
    const replies = await times(50, (n) => node(n).post(path, { email: `round ${round}`, n }));
    expect(tally(replies)).toEqual({ 201: 1, duplicate_value: 49 });
  }
  expect((await t.api.get(path)).body.total).toBe(5);
});

test('A5: of 50 documents that are given one value at once exactly one has it', async () => {
  const { path } = await uniqueCollection(t.api, ['v']);
  const documents = Array.from({ length: 50 }, (_, n) => ({ v: `own ${n}` }));
  const { body } = await t.api.post(`${path}/batch`, { documents });
  const replies = await times(50, (n) => node(n).patch(`${path}/${body.data[n].id}`, { v: 'wanted' }));
  expect(tally(replies)).toEqual({ 200: 1, duplicate_value: 49 });
});

test('creates that meet the news of an index: no duplicate slips past it unnoticed', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { path } = await newCollection(t.api);
    const [asked, ...replies] = await Promise.all([
      t.api.post(`${path}/indexes`, { kind: 'unique', fields: ['v'] }),
      ...Array.from({ length: 20 }, (_, n) => node(n).post(path, { v: n })),
    ]);
    expect(asked.status).toBe(201);
    expect(tally(replies)).toEqual({ 201: 20 });
    const again = await times(20, (n) => node(n).post(path, { v: n }));
    if (tally(again).duplicate_value === 20) continue;
    // Some came before the values of those that were there already had been collected: that is found out.
    await expect.poll(async () => (await t.api.get(`${path}/indexes`)).body.data[0].state).toBe('failed');
  }
});

test('two documents that want each other’s value at once are both refused, and nobody waits in a circle', async () => {
  const { path } = await uniqueCollection(t.api, ['v'], ['w']);
  for (let round = 0; round < 30; round += 1) {
    const [a, b] = await times(2, (n) =>
      newDocument(t.api, path, { v: `${round} ${n}`, w: `${round} ${n}` }),
    );
    const replies = await Promise.all([
      node(0).patch(`${path}/${a.id}`, { v: b.v, w: b.w }),
      node(1).patch(`${path}/${b.id}`, { v: a.v, w: a.w }),
      node(0).post(`${path}/batch`, { documents: [{ v: a.v }, { v: b.v, w: a.w }] }),
    ]);
    expect(tally(replies)).toEqual({ duplicate_value: 3 });
  }
});

/** Numbers that look random and are the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('D12: batches of all kinds that fight for few values: no 5xx, and in the end every value has one document', async () => {
  const { path, name } = await uniqueCollection(t.api, ['v'], ['w', 'x']);
  const roll = dice(7);
  const fields = () => ({ v: roll(60), w: roll(6), x: roll(10) });
  const seen: Record<string, number> = {};
  let ids: string[] = [];
  const list = async () => (await t.api.get(`${path}?limit=100&orderBy=id`)).body.data;
  const some = () => [...new Set(Array.from({ length: 4 }, () => ids[roll(ids.length)]!))];
  const calls = [
    (n: number) => node(n).post(path, fields()),
    (n: number) => node(n).post(`${path}/batch`, { documents: [fields(), fields()] }),
    (n: number) => node(n).patch(`${path}/${ids[roll(ids.length)]}`, fields()),
    (n: number) => node(n).patch(`${path}/${ids[roll(ids.length)]}`, { v: roll(60) }),
    (n: number) => node(n).put(`${path}/${ids[roll(ids.length)]}`, fields()),
    (n: number) =>
      node(n).post(`${path}/batch-update`, { updates: some().map((id) => ({ id, ...fields() })) }),
    (n: number) => node(n).delete(`${path}/${ids[roll(ids.length)]}`),
    (n: number) => node(n).post(`${path}/batch-delete`, { ids: some() }),
  ];
  for (let n = 0; n < 30; n += 1) await t.api.post(path, fields());
  for (let round = 0; round < 40; round += 1) {
    ids = (await list()).map(({ id }: { id: string }) => id);
    const replies = await times(16, (n) => calls[roll(ids.length < 10 ? 2 : calls.length)]!(n));
    for (const [what, count] of Object.entries(tally(replies))) seen[what] = (seen[what] ?? 0) + count;
  }
  const allowed = ['200', '201', 'duplicate_value', 'document_not_found', 'batch_item_not_found'];
  expect(Object.keys(seen).filter((what) => !allowed.includes(what))).toEqual([]);
  expect(seen.duplicate_value).toBeGreaterThan(20);
  const documents: { id: string; v: number; w: number; x: number }[] = await list();
  expect(new Set(documents.map(({ v }) => v)).size).toBe(documents.length);
  expect(new Set(documents.map(({ w, x }) => `${w} ${x}`)).size).toBe(documents.length);
  const db = await doorTo(t);
  const { number, indexes } = (await findCollection(db, name))!;
  const all = documents.map(({ id }) => id);
  expect(await heldIn(db, number)).toEqual(new Map(indexes.map(({ id }) => [id, all])));
});
