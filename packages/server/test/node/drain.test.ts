// @postgres newest
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlinthProcess, startNode } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let nodes: { process: PlinthProcess; url: string }[];
beforeAll(async () => {
  await t.api.post('/collections', { name: 'posts' });
  const { DATABASE_URL, CELL_DATABASE_URLS } = t.config;
  const start = () => startNode({ DATABASE_URL, CELL_DATABASE_URLS, SHUTDOWN_DELAY_MS: '8000' });
  nodes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(nodes.map(({ process }) => process[Symbol.asyncDispose]()));
});

/** Sends a body in pieces, as a phone on a bad line does. */
function post(url: string, agent: Agent, pieces: readonly string[], pauseMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': t.projects[0].apiKey, 'content-type': 'application/json' };
    const sent = request(`${url}/collections/posts`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
      response.on('error', reject);
    });
    sent.on('error', reject);
    const write = async () => {
      for (const [at, piece] of pieces.entries()) {
        if (at > 0) await sleep(pauseMs);
        sent.write(piece);
      }
      sent.end();
    };
    write().catch(reject);
  });
}

/** Where calls go: the nodes that said to be ready when they were last asked, every 200 ms. */
class Balancer {
  readonly ready = new Set(nodes.map(({ url }) => url));
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 30 });
  readonly #timer = setInterval(() => void this.#ask(), 200);
  #turn = 0;

  async #ask(): Promise<void> {
    for (const { url } of nodes) {
      const isReady = await fetch(`${url}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false);
      if (isReady) this.ready.add(url);
      else this.ready.delete(url);
    }
  }

  send(): Promise<number> {
    const urls = [...this.ready];
    this.#turn += 1;
    return post(urls[this.#turn % urls.length]!, this.#agent, ['{"small":', 'true}'], 0);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#agent.destroy();
  }
}

test('H9: SIGTERM under load fails no request, and ends with 0', async () => {
  const [leaving, staying] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const balancer = new Balancer();
  const own = new Agent();
  try {
    const failures: unknown[] = [];
    const statuses: number[] = [];
    const over = new AbortController();
    const caller = async () => {
      while (!over.signal.aborted)
        await balancer.send().then(
          (status) => statuses.push(status),
          (error) => failures.push(error),
        );
    };
    const load = Promise.all(Array.from({ length: 20 }, caller));
    await sleep(500);
    // Begun before the signal, ended after the node has stopped to listen.
    const slow = post(leaving.url, own, ['{"a":1', ',"b":2', ',"c":3', ',"d":4}'], 3500);
    const signalledAt = performance.now();
    leaving.process.signal('SIGTERM');
    const ended = await leaving.process.ended;
    const drainMs = performance.now() - signalledAt;
    expect(await slow).toBe(201);
    await sleep(300);
    over.abort();
    await load;
    console.log(`H9: ${failures.length} of ${statuses.length} failed; drained in ${Math.round(drainMs)} ms.`);
    expect(failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(statuses.length).toBeGreaterThan(200);
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(drainMs).toBeGreaterThan(10_000);
    expect([...balancer.ready]).toEqual([staying.url]);
    await expect(fetch(leaving.url)).rejects.toThrow('fetch failed');
  } finally {
    balancer.close();
    own.destroy();
  }
});

test('a node that is leaving says so, and asks its callers to connect anew', async () => {
  const { process, url } = nodes[1]!;
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  process.signal('SIGTERM');
  await process.untilPrinted('stderr', /shutting down/);
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ success: false, error: { code: 'not_ready' } });
  const served = await fetch(`${url}/collections`, { headers: { 'x-api-key': t.projects[0].apiKey } });
  expect(served.status).toBe(200);
  expect(served.headers.get('connection')).toBe('close');
  // A second signal changes nothing.
  process.signal('SIGTERM');
  process.signal('SIGINT');
  expect((await process.ended).code).toBe(0);
});
