// @postgres newest
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
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
let adminPort: number;
beforeAll(async () => {
  adminPort = await twoPorts();
  node = await startNodeOf(t, { ADMIN_PORT: String(adminPort) }, ['--workers', '2']);
  api = new Client(node.url, { 'x-api-key': t.projects[0].apiKey });
});
afterAll(async () => {
  await node.process[Symbol.asyncDispose]();
});

/** The first of two ports beside each other that nobody listens on. */
async function twoPorts(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const [first, second] = [createServer(), createServer()];
    try {
      await once(first.listen(0, '127.0.0.1'), 'listening');
      const { port } = first.address() as AddressInfo;
      await once(second.listen(port + 1, '127.0.0.1'), 'listening');
      return port;
    } catch {
      // The second is taken.
    } finally {
      first.close();
      second.close();
    }
  }
  throw new Error('There are no two free ports.');
}

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

test('operators ask each process at a port of its own', async () => {
  for (const port of [adminPort, adminPort + 1]) {
    const admin = new Client(`http://127.0.0.1:${port}`);
    await expect.poll(() => admin.get('/readyz').then(({ status }) => status)).toBe(200);
    expect((await admin.get('/metrics')).text).toMatch(/^plinth_realtime_connections 0$/m);
  }
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

test('a large bucket is told to the shared counter now and then, and every call arrives', async () => {
  const shared = new MemoryCounter();
  const counters = [new BusyCounter(shared), new BusyCounter(shared)];
  const bucket = { key: 'project:1', limit: 1_000_000 };
  const take = async (call: number) => (await counters[call % 2]!.take([bucket])).counts[0]!;
  await roomInWindow(5000);
  for (let call = 0; call < 30_000; call += 1) await take(call);
  await expect.poll(() => shared.takeNow([bucket], 0).counts).toEqual([30_000]);
  // Each counter has heard of the other's calls by the answer to its last report.
  await take(0);
  await expect.poll(() => take(0)).toBeGreaterThan(30_000);
});

test('a large bucket that other processes have filled is full here too', async () => {
  const shared = new MemoryCounter();
  const [here, there] = [new BusyCounter(shared), new BusyCounter(shared)];
  const bucket = { key: 'project:2', limit: 10_000 };
  await roomInWindow(5000);
  for (let call = 0; call < 10_000; call += 1) await there.take([bucket]);
  await expect.poll(async () => (await here.take([{ key: 'small', limit: 100 }, bucket])).full).toBe(1);
  // The calls that were refused have cost the small bucket nothing.
  const before = shared.takeNow([{ key: 'small', limit: 100 }], 0).counts[0];
  await here.take([{ key: 'small', limit: 100 }, bucket]);
  expect(shared.takeNow([{ key: 'small', limit: 100 }], 0).counts[0]).toBe(before);
});
