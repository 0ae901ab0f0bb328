// @postgres newest
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTier } from '../../src/features/control/projects/index.ts';
import { BusyCounter } from '../../src/platform/counters/busy-counter.ts';
import { MemoryCounter } from '../../src/platform/counters/memory-counter.ts';
import { hammer } from '../support/calls/hammer.ts';
import { inOneWindow, roomInWindow } from '../support/calls/rate-window.ts';
import { Client } from '../support/client.ts';
import { type PlinthProcess, runPlinth, startNodeOf } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let node: { process: PlinthProcess; url: string };
let api: Client;
let adminPort: number;
beforeAll(async () => {
  adminPort = await freePort();
  node = await startNodeOf(t, { ADMIN_PORT: String(adminPort) }, ['--workers', '2']);
  await node.process.untilPrinted('stderr', /Server listening[^]*Server listening/);
  api = new Client(node.url, { 'x-api-key': t.projects[0].apiKey });
});
afterAll(async () => {
  await node.process[Symbol.asyncDispose]();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function workers(): number[] {
  const { pid } = node.process;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

test('the processes of a node hold one limit together', async () => {
  const { passed, statuses } = await inOneWindow(10_000, async () => {
    const { ref, apiKey } = await t.createProject();
    await setTier(t.control, ref, 'enterprise', 300);
    return hammer([node.url], apiKey, 900);
  });
  expect(passed).toBe(300);
  expect(statuses).toEqual(new Set([200, 429]));
});

test('operators see all processes together, and each where it matters', async () => {
  const admin = new Client(`http://127.0.0.1:${adminPort}`);
  await expect.poll(() => admin.get('/readyz').then(({ status }) => status)).toBe(200);
  const { ref, apiKey } = await t.createProject();
  const metrics = async () => (await admin.get('/metrics')).text;
  // Over several connections, so that both processes get calls.
  await hammer([node.url], apiKey, 60);
  const pattern = /^plinth_http_requests_total\{route="\/collections",method="GET",status="200"\} (\d+)$/m;
  await expect.poll(async () => Number(pattern.exec(await metrics())?.[1])).toBeGreaterThanOrEqual(60);
  const text = await metrics();
  expect(text).toMatch(/^plinth_realtime_connections 0$/m);
  for (const worker of [0, 1])
    await expect
      .poll(metrics)
      .toMatch(new RegExp(`^plinth_process_memory_bytes\\{kind="rss",worker="${worker}"\\} \\d+$`, 'm'));
  expect(text).toMatch(new RegExp(`^plinth_project_calls_per_second\\{project="${ref}"\\} `, 'm'));
});

test('a process that dies is replaced, and the node keeps serving', async () => {
  const [first] = workers();
  process.kill(first!, 'SIGKILL');
  await expect.poll(() => workers().filter((pid) => pid !== first).length).toBe(2);
  for (let call = 0; call < 20; call += 1) expect((await api.get('/collections')).status).toBe(200);
  expect(node.process.stderr).toContain('a process of this node has exited');
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
  expect(stderr).toContain('--workers must be a number from 1 to 64');
});

test('a large bucket is told to the shared counter now and then, and every call arrives', async () => {
  const shared = new MemoryCounter();
  const counters = [new BusyCounter(shared), new BusyCounter(shared)];
  const bucket = { key: 'project:1', limit: 1_000_000 };
  const take = async (call: number) => (await counters[call % 2]!.take([bucket])).counts[0]!;
  await roomInWindow(30_000);
  for (let call = 0; call < 30_000; call += 1) await take(call);
  await expect.poll(() => shared.take([bucket], 0).counts).toEqual([30_000]);
  // Each counter has heard of the other's calls by the answer to its last report.
  await take(0);
  await expect.poll(() => take(0)).toBeGreaterThan(30_000);
});

test('a large bucket that other processes have filled is full here too', async () => {
  const shared = new MemoryCounter();
  const [here, there] = [new BusyCounter(shared), new BusyCounter(shared)];
  const bucket = { key: 'project:2', limit: 10_000 };
  await roomInWindow(30_000);
  for (let call = 0; call < 10_000; call += 1) await there.take([bucket]);
  await expect.poll(async () => (await here.take([{ key: 'small', limit: 100 }, bucket])).full).toBe(1);
  // The calls that were refused have cost the small bucket nothing.
  const before = shared.take([{ key: 'small', limit: 100 }], 0).counts[0];
  await here.take([{ key: 'small', limit: 100 }, bucket]);
  expect(shared.take([{ key: 'small', limit: 100 }], 0).counts[0]).toBe(before);
});
