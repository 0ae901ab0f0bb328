// @postgres newest
import { once } from 'node:events';
import { Client as PgClient } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { regenerateKey, setOrigins, setResponseFormat } from '../../src/features/control/projects/index.ts';
import { isRefused, untilAnswer } from '../support/calls/until-answer.ts';
import { Client, type Reply } from '../support/client.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let urls: string[];
beforeAll(async () => {
  urls = [t.url, (await t.node()).url];
});

const listening = `FROM pg_stat_activity
  WHERE application_name = 'plinth listener' AND datname = current_database()`;

/**
 * Ends the connections that nodes hear of changes by, once all of them have theirs. Returns how long they may take to
 * connect again: others who connect and listen at the same moment tell how busy the machine is.
 */
async function cutListeners(): Promise<{ limitMs: Promise<number> }> {
  for (const cell of t.cells.numbers) {
    await expect.poll(() => countListeners(cell)).toBe(urls.length);
    const { rows } = await t.cells.pool(cell).query(`SELECT pg_terminate_backend(pid) ${listening}`);
    expect(rows).toHaveLength(urls.length);
  }
  const others = t.cells.numbers.flatMap(() => urls.map(() => listenOnce()));
  return { limitMs: Promise.all(others).then((times) => 100 + 6 * Math.max(...times)) };
}

/** How long it takes to connect, and to hear something. */
async function listenOnce(): Promise<number> {
  const startedAt = performance.now();
  const client = new PgClient({ connectionString: t.config.DATABASE_URL });
  await client.connect();
  await client.query('LISTEN busy');
  const heard = once(client, 'notification');
  await client.query('NOTIFY busy');
  await heard;
  const tookMs = performance.now() - startedAt;
  await client.end();
  return tookMs;
}

/** How long a node may take to hear of a change that a call made elsewhere. */
async function hearingMs(): Promise<number> {
  return 1000 + 3 * Math.max(...(await Promise.all([listenOnce(), listenOnce()])));
}

async function countListeners(cell: number): Promise<number> {
  const { rows } = await t.cells
    .pool(cell)
    .query<{ count: number }>(`SELECT count(*)::int AS count ${listening}`);
  return rows[0]!.count;
}

test('a regenerated key is soon refused by every node, twenty times', async () => {
  const { ref, apiKey } = await t.createProject();
  let key = apiKey;
  let slowestMs = 0;
  for (let round = 0; round < 20; round += 1) {
    const old = urls.map((url) => new Client(url, { 'x-api-key': key }));
    for (const client of old) expect((await client.get('/collections')).status).toBe(200);
    ({ apiKey: key } = await regenerateKey(t.control, ref));
    const tookMs = await Promise.all(
      old.map((client) => untilAnswer(() => client.get('/collections'), isRefused)),
    );
    slowestMs = Math.max(slowestMs, ...tookMs);
    for (const url of urls) {
      expect((await new Client(url, { 'x-api-key': key }).get('/collections')).status).toBe(200);
    }
  }
  console.log(`A regenerated key was refused by both nodes after ${slowestMs.toFixed(1)} ms at most.`);
});

test('also by nodes that have just lost the connection that tells them of changes', async () => {
  const { ref, apiKey } = await t.createProject();
  let key = apiKey;
  for (let round = 0; round < 2; round += 1) {
    const old = urls.map((url) => new Client(url, { 'x-api-key': key }));
    for (const client of old) expect((await client.get('/collections')).status).toBe(200);
    const { limitMs } = await cutListeners();
    ({ apiKey: key } = await regenerateKey(t.control, ref));
    await Promise.all(old.map((client) => untilAnswer(() => client.get('/collections'), isRefused, limitMs)));
  }
});

test('a collection renamed on one node has its new name on the other soon', async () => {
  const { apiKey } = await t.createProject();
  const [one, two] = urls.map((url) => new Client(url, { 'x-api-key': apiKey })) as [Client, Client];
  for (const [round, cut] of [false, true].entries()) {
    const { id } = (await one.post('/collections', { name: `before_${round}` })).body.data;
    for (const path of [`/collections/before_${round}`, `/collections/${id}`]) {
      expect((await two.get(path)).body.collection.name).toBe(`before_${round}`);
    }
    const { limitMs } = cut ? await cutListeners() : { limitMs: hearingMs() };
    await one.patch(`/collections/before_${round}`, { name: `after_${round}` });
    await untilAnswer(
      () => two.get(`/collections/before_${round}`),
      ({ status }) => status === 404,
      limitMs,
    );
    await untilAnswer(
      () => two.get(`/collections/after_${round}`),
      ({ status }) => status === 200,
      limitMs,
    );
    await untilAnswer(
      () => two.get(`/collections/${id}`),
      ({ body }) => body.collection.name === `after_${round}`,
      limitMs,
    );
  }
});

test('a deleted collection takes no document on the other node, ever; a new one of its name does', async () => {
  const { apiKey } = await t.createProject();
  const [one, two] = urls.map((url) => new Client(url, { 'x-api-key': apiKey })) as [Client, Client];
  for (let round = 0; round < 5; round += 1) {
    await one.post('/collections', { name: 'short_lived' });
    expect((await two.post('/collections/short_lived', { round })).status).toBe(201);
    expect((await one.delete('/collections/short_lived')).status).toBe(200);
    // Not even what the other node remembers lets a write through.
    expect((await two.post('/collections/short_lived', { late: true })).status).toBe(404);
    await untilAnswer(
      () => two.get('/collections/short_lived'),
      ({ status }) => status === 404,
      hearingMs(),
    );
    await one.post('/collections', { name: 'short_lived' });
    await untilAnswer(
      () => two.post('/collections/short_lived', { round }),
      ({ status }) => status === 201,
      hearingMs(),
    );
    expect((await one.get('/collections/short_lived')).body.total).toBe(1);
    await two.delete('/collections/short_lived');
  }
});

test('origins and response format that change do so on both nodes within 100 ms', async () => {
  const { ref, apiKey } = await t.createProject();
  const origin = 'https://app.example.com';
  const clients = urls.map((url) => new Client(url, { 'x-api-key': apiKey }));
  const everywhere = (isRight: (reply: Reply) => boolean) =>
    Promise.all(
      clients.map((client) =>
        untilAnswer(() => client.get('/collections', { headers: { origin } }), isRight),
      ),
    );
  await everywhere(({ status }) => status === 403);
  await setOrigins(t.control, ref, [origin]);
  await everywhere(({ status }) => status === 200);
  await setResponseFormat(t.control, ref, 'bare');
  await everywhere(({ text }) => text === '[]');
  await setOrigins(t.control, ref, []);
  await everywhere(({ status }) => status === 403);
});
