// @postgres newest
import { expect, test } from 'vitest';
import { useTestApp } from '../../support/test-app.ts';
import { countedBy, readLog } from './read-log.ts';

const t = useTestApp();

/** Makes calls, some at once. */
async function times(count: number, call: () => Promise<unknown>): Promise<void> {
  let left = count;
  const one = async () => {
    for (; left > 0; ) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
}

test('of thousands of calls few are kept, and their weights add up to all', async () => {
  const [{ ref, api }] = t.projects;
  const [successes, failures] = [3000, 1500];
  await times(successes, () => api.get('/collections'));
  await times(failures, () => api.get('/collections/missing'));
  // The last line is in when an earlier one of another project, written after it, is.
  const marker = await t.createProject();
  expect(marker.cell).toBe(t.projects[0].cell);
  await marker.api.get('/collections');
  await expect.poll(async () => (await readLog(t, marker.ref)).length).toBe(1);

  const ok = await readLog(t, ref, { statusTo: 399 });
  const failed = await readLog(t, ref, { statusFrom: 400 });
  expect(Math.abs(countedBy(ok) / successes - 1)).toBeLessThan(0.02);
  expect(Math.abs(countedBy(failed) / failures - 1)).toBeLessThan(0.02);
  const minutes = new Set([...ok, ...failed].map(({ at }) => Math.floor(at.getTime() / 60_000))).size;
  expect(ok.length).toBeLessThan(minutes * 400);
  expect(failed.length).toBeLessThan(minutes * 500);
  // The first of a minute are all there.
  expect(ok.filter(({ weight }) => weight === 1).length).toBeGreaterThanOrEqual(60);
});
