// @postgres newest
import { expect, test } from 'vitest';
import { listenTo } from '../support/deliveries/listen.ts';
import { addMany, done, newLane, openLanes } from '../support/deliveries/stage.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;

test('what it costs to be heard, and how fast it is told (figures, no bars)', async () => {
  const [one, other] = t.projects;
  for (const { api } of [one, other]) await api.post('/collections', { name: 'orders' });
  await listenTo(t, one.ref, ['orders.*']);
  const times: Record<'heard' | 'plain', number[]> = { heard: [], plain: [] };
  const create = async (kind: 'heard' | 'plain', { api }: typeof one) => {
    const begunAt = performance.now();
    await api.post('/collections/orders', { state: 'new', text: 'x'.repeat(800) });
    times[kind].push(performance.now() - begunAt);
  };
  for (let round = 0; round < 300; round += 1) {
    await create('heard', one);
    await create('plain', other);
  }
  const batch = { documents: Array.from({ length: 1000 }, (_, at) => ({ at, text: 'x'.repeat(800) })) };
  const batches: number[] = [];
  for (const { api } of [one, other]) {
    await api.post('/collections/orders/batch', batch);
    const begunAt = performance.now();
    await api.post('/collections/orders/batch', batch);
    batches.push(performance.now() - begunAt);
  }
  const [heard, plain] = [median(times.heard), median(times.plain)];
  const inMs = (all: readonly number[]) => all.map((ms) => ms.toFixed(1)).join(' and ');
  console.log(
    `a create over HTTP, heard of and not: ${inMs([heard, plain])} ms; a batch of 1,000: ${inMs(batches)} ms`,
  );

  await using lanes = await openLanes(t, 'fast', done, { keepsLog: true });
  const count = 10_000;
  const lane = await newLane(t, one.ref, 'fast');
  const begunAt = performance.now();
  for (let at = 0; at < count; at += 1000) await addMany(lanes, lane, 1000, at);
  const waiting = async () => {
    const { rows } = await t.cells
      .pool(lane.project.cell)
      .query('SELECT FROM cell.deliveries WHERE project_id = $1 AND lane = $2 LIMIT 1', [
        lane.project.id,
        lane.lane,
      ]);
    return rows.length;
  };
  await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(0);
  const seconds = (performance.now() - begunAt) / 1000;
  console.log(`${count} deliveries of one lane, with a log: ${(count / seconds).toFixed(0)} a second`);
});
