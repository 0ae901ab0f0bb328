// @postgres newest
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTier } from '../../src/features/control/projects/index.ts';
import { BusyCounter } from '../../src/platform/counters/busy-counter.ts';
import { MemoryCounter } from '../../src/platform/counters/memory-counter.ts';
import { hammer } from '../support/calls/hammer.ts';
import { roomInWindow } from '../support/calls/rate-window.ts';
import { Client } from '../support/client.ts';
import { type PlinthProcess, runPlinth, startNodeOf } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let node: { process: PlinthProcess; url: string };
let api: Client;
beforeAll(async () => {
  node = await startNodeOf(t, {}, ['--workers', '2']);
  api = new Client(node.url, { 'x-api-key': t.projects[0].apiKey });
});
afterAll(async () => {
  await node.process[Symbol.asyncDispose]();
});

function workers(): number[] {
  const { pid } = node.process;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

test('the processes of a node hold one limit together', async () => {
  const { ref, apiKey } = await t.createProject();
  await setTier(t.control, ref, 'enterprise', 300);
  await roomInWindow(10_000);
  const { passed, statuses } = await hammer([node.url], apiKey, 900);
  expect(passed).toBe(300);
  expect(statuses).toEqual(new Set([200, 429]));
});

test('a process that dies is replaced, and the node keeps serving', async () => {
  await expect.poll(() => node.process.stderr.match(/Server listening/g)?.length).toBe(2);
  const [first] = workers();
  process.kill(first!, 'SIGKILL');
  await expect.poll(() => workers().filter((pid) => pid !== first).length).toBe(2);
  for (let call = 0; call < 20; call += 1) expect((await api.get('/collections')).status).toBe(200);
  expect(node.process.stderr).toContain('a process of this node has ended');
});

test('told to stop, all of them finish what they do and end', async () => {
  const { code, signal } = await node.process.stop('SIGTERM');
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});

test('a node whose processes cannot start says why, and ends', async () => {
  const { code, stderr } = await runPlinth(['start', '--workers', '2'], {
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    LOG_LEVEL: 'error',
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/cannot be used.*127\.0\.0\.1:1/);
});

test.each(['0', '65', 'many', '1.5'])('--workers %s is refused', async (workers) => {
  const { code, stderr } = await runPlinth(['start', '--workers', workers]);
  expect(code).toBe(1);
  expect(stderr).toContain('--workers takes a number from 1 to 64');
});

test('a busy key is told to the shared counter now and then, and every hit arrives', async () => {
  const shared = new MemoryCounter();
  const counters = [new BusyCounter(shared), new BusyCounter(shared)];
  const key = 'project:1';
  await roomInWindow(5000);
  let last = 0;
  for (let hit = 0; hit < 30_000; hit += 1) last = await counters[hit % 2]!.hit(key);
  expect(last).toBeGreaterThan(18_000);
  await expect.poll(() => shared.add(key, 0)).toBe(30_000);
  expect(await counters[0]!.hit(key)).toBeGreaterThan(29_000);
});
