import { afterEach, expect, test } from 'vitest';
import { setTier } from '../../../src/features/control/projects/index.ts';
import { foldHours, readUsageHours } from '../../../src/features/control/usage/index.ts';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { newEmail } from '../../support/people/people.ts';
import { projectWithLimits } from '../../support/project-with-limits.ts';
import { expire } from '../../support/rows.ts';
import { type TestApp, testApp } from '../../support/test-app.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let t: TestApp;
afterEach(() => t[Symbol.asyncDispose]());

async function usageOf(ref: string, step: 'hour' | 'day' = 'day', from = Date.now() - dayMs) {
  const project = await projectWithLimits(t.control, ref);
  const range = { from: new Date(from), to: new Date(Date.now() + hourMs), step };
  return readUsageHours(t.cells.forProject(project), range);
}

function summed(steps: Awaited<ReturnType<typeof usageOf>>) {
  const sum = (name: 'reads' | 'writes' | 'auths' | 'failures' | 'limited' | 'bytesIn' | 'bytesOut') =>
    steps.reduce((all, step) => all + step[name], 0);
  return {
    reads: sum('reads'),
    writes: sum('writes'),
    auths: sum('auths'),
    failures: sum('failures'),
    limited: sum('limited'),
    bytesIn: sum('bytesIn'),
    bytesOut: sum('bytesOut'),
  };
}

test('every call is counted once, by two nodes together, and a node that stops loses none', async () => {
  t = await testApp();
  const other = await t.node();
  const { ref, apiKey } = await t.createProject();
  const counted = { reads: 0, writes: 0, auths: 0, failures: 0, limited: 0, bytesIn: 0, bytesOut: 0 };
  /** Counts what it sends and gets. */
  class Counting extends Client {
    override async call(...given: Parameters<Client['call']>) {
      const [method, path, body] = given;
      const reply = await super.call(...given);
      if (method === 'GET' || path.endsWith('/query')) counted.reads += 1;
      else if (path.startsWith('/auth-collections')) counted.auths += 1;
      else counted.writes += 1;
      if (reply.status >= 400) counted.failures += 1;
      if (reply.status === 429) counted.limited += 1;
      if (body !== undefined) counted.bytesIn += Buffer.byteLength(JSON.stringify(body));
      counted.bytesOut += Buffer.byteLength(reply.text);
      return reply;
    }
  }
  const apis = [t.url, other.url].map((url) => new Counting(url, { 'x-api-key': apiKey }));
  const { path } = await newCollection(apis[0]!);
  for (let n = 0; n < 150; n += 1) {
    for (const api of apis) {
      await api.get(path);
      await api.post(path, { title: 'ä'.repeat(n) });
      await api.get(`${path}/missing`);
      if (n % 10 === 0) await api.post(`${path}/query`, { not: 'text' });
    }
  }
  const door = new Counting(`${t.url}/p/${ref}`);
  await door.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse' });
  await door.get('/collections');
  await setTier(t.control, ref, 'enterprise', 3);
  for (const api of apis) for (let n = 0; n < 10; n += 1) await api.get(path);
  expect(counted.limited).toBeGreaterThan(0);
  await Promise.all([t.app.stop(), other.app.stop()]);

  const days = await usageOf(ref);
  expect(summed(days)).toEqual(counted);
  const hours = await usageOf(ref, 'hour');
  expect(summed(hours)).toEqual(counted);
  const calls = counted.reads + counted.writes + counted.auths;
  expect(hours.flatMap(({ durations }) => durations).reduce((sum, count) => sum + count)).toBe(calls);
  for (const { msTotal, p50Ms, p95Ms } of hours) {
    expect(msTotal).toBeGreaterThan(0);
    expect(p95Ms).toBeGreaterThanOrEqual(p50Ms!);
  }
});

test('hours become days after a month, the sums stay, and days are forgotten after a year', async () => {
  t = await testApp();
  const [{ ref, cell }] = t.projects;
  const { id } = await projectWithLimits(t.control, ref);
  const pool = t.cells.pool(cell);
  const day = Math.floor(Date.now() / dayMs) * dayMs - 32 * dayMs;
  const plant = (hour: number, reads: number) =>
    pool.query(
      `INSERT INTO cell.usage_hours VALUES ($1, $2, $3, 1, 2, 3, 4, 5, 6, 7, '{1,0,0,0,0,0,0,0,0,0,0,2}')`,
      [id, new Date(hour), reads],
    );
  for (let hour = 0; hour < 48; hour += 1) await plant(day + hour * hourMs, hour);
  await plant(day + 10 * dayMs + hourMs, 1);
  await plant(day - 380 * dayMs, 1);
  const before = await usageOf(ref, 'day', day);

  await Promise.all([foldHours(pool), foldHours(pool)]);
  await foldHours(pool);

  const { rows } = await pool.query<{ hour: Date; reads: string }>(
    'SELECT hour, reads FROM cell.usage_hours WHERE project_id = $1 ORDER BY hour',
    [id],
  );
  const sums = [0, 24].map((from) =>
    Array.from({ length: 24 }, (_, at) => from + at).reduce((a, b) => a + b),
  );
  expect(rows.map(({ hour, reads }) => [hour.getTime(), Number(reads)])).toEqual([
    [day - 380 * dayMs, 1],
    [day, sums[0]],
    [day + dayMs, sums[1]],
    [day + 10 * dayMs + hourMs, 1],
  ]);
  expect(await usageOf(ref, 'day', day)).toEqual(before);
  await expire(pool, 'cell.usage_hours');
  expect(await usageOf(ref, 'day', day - 390 * dayMs)).toEqual(before);
});

test('a range of too many steps is refused', async () => {
  t = await testApp();
  await expect(usageOf(t.projects[0].ref, 'hour', Date.now() - 60 * dayMs)).rejects.toMatchObject({
    code: 'invalid_query',
  });
});
