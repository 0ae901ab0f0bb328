// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stored } from '../../support/data/stored.ts';
import { untilBuilt } from '../../support/indexes/fill.ts';
import { useTestApp } from '../../support/test-app.ts';
import type { Located } from './move-base.ts';
import { checkIndex, checkStored } from './move-check.ts';
import { makeWorld, startLoad } from './move-load.ts';
import { hideAll, plannedFaults } from './move-planted.ts';
import { reads } from './move-reader.ts';
import type { World } from './move-world.ts';

const documents = 15_000;

const t = useTestApp();
let located: Located;
let world: World;
beforeAll(async () => {
  const other = await t.node();
  await t.api.post('/collections', { name: 'things' });
  await t.api.patch('/collections/things', { settings: { autoIndex: false } });
  const stored = new Stored(t, t.projects[0]);
  located = { projectId: await stored.projectId(), number: (await stored.collection('things')).number };
  world = await makeWorld(
    pool(),
    { ...located, name: 'things' },
    { documents, writers: 10, nodes: [t.url, other.url], apiKey: t.projects[0].apiKey, pauseMs: 5 },
  );
});
afterAll(async () => {
  world.calls[Symbol.dispose]();
});

const pool = () => t.cells.pool(t.projects[0].cell);

test('moves under writers and readers on two nodes, and nothing is lost, doubled or old', async () => {
  const load = startLoad(world, pool(), { ...located, readers: 10 });
  await sleep(500);
  const startedAt = performance.now();
  const asked = await t.api.post('/collections/things/indexes', {
    fields: ['writer', '-counter'],
    kind: 'sort',
  });
  expect(asked.status).toBe(201);
  const [index] = await untilBuilt(t.api, 'things');
  const tookMs = performance.now() - startedAt;
  await sleep(500);
  await load.stop();
  await checkStored(world, pool(), located);
  await checkIndex(world, pool(), located);
  const { samples } = world.calls;
  const during = samples.filter(({ startedAt: at, ms }) => at + ms > startedAt && at < startedAt + tookMs);
  console.log(
    `${documents} documents moved in ${Math.round(tookMs)} ms under ${during.length} calls (${samples.length} in all); ` +
      `the longest took ${Math.round(Math.max(...during.map(({ ms }) => ms)))} ms`,
  );
  expect(world.ledger.problems).toEqual([]);
  expect(index).toMatchObject({ state: 'ready', failure: null });
  expect(during.length).toBeGreaterThan(100);
  expect(world.ledger.written.created).toBeGreaterThan(50);
  expect(world.ledger.written.deleted).toBeGreaterThan(20);
});

test('the check of what is stored finds each fault that a move could cause', async () => {
  for (const [name, { plant, undo }] of Object.entries(plannedFaults(world.ledger, located))) {
    expect([name, await problemsOf(() => checkStored(world, pool(), located))]).toEqual([name, []]);
    await pool().query(plant);
    expect([name, await problemsOf(() => checkStored(world, pool(), located))]).not.toEqual([name, []]);
    await pool().query(undo);
  }
  expect(await problemsOf(() => checkStored(world, pool(), located))).toEqual([]);
});

test('every kind of read notices what is missing', async () => {
  const readAll = async () => {
    for (const work of Object.values(reads)) await work(world);
  };
  expect(await problemsOf(readAll)).toEqual([]);
  const giveBack = await hideAll(pool(), located);
  for (const [name, work] of Object.entries(reads)) {
    const seen = [];
    // What they choose to read may have been deleted.
    for (let tries = 0; tries < 20 && seen.length === 0; tries += 1)
      seen.push(...(await problemsOf(() => work(world))));
    expect(seen[0]).toMatch(new RegExp(`^${name}: .* is missing$`));
  }
  await giveBack();
  expect(await problemsOf(readAll)).toEqual([]);
});

async function problemsOf(work: () => Promise<void>): Promise<string[]> {
  world.ledger.problems.length = 0;
  await work();
  return [...world.ledger.problems];
}
