// @postgres newest
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setEnv } from '../../src/features/control/projects/index.ts';
import { openVault } from '../../src/platform/crypto/vault.ts';
import { Client } from '../support/client.ts';
import { deploy } from '../support/code/deploy.ts';
import { runPlinth } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';
import { atPools, poolSecret, startPool } from './start-pool.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'off' });
let pools: Awaited<ReturnType<typeof startPool>>[];
let url: string;

beforeAll(async () => {
  pools = await Promise.all([startPool(), startPool()]);
  url = (await t.node(atPools(pools.map((pool) => pool.url)))).url;
});
afterAll(async () => {
  await Promise.all(pools.map(({ process }) => process[Symbol.asyncDispose]()));
});

/** A project, called at a node that lets its functions run elsewhere. */
async function createProject(at = url) {
  const made = await t.createProject();
  return { ...made, api: new Client(at, { 'x-api-key': made.apiKey }) };
}

test('functions run at a pool: bodies stream, the service answers them, and their logs come back', async () => {
  const { api, apiKey, ref } = await createProject();
  await setEnv(t.control, openVault(t.config), { ref, key: 'SECRET', value: 'kept' });
  await api.post('/collections', { name: 'notes' });
  const deployed = await deploy(api, {
    'echo.js': `export default async (request, ctx) => {
      ctx.log.info('printed at the pool');
      const { id } = await ctx.db.collection('notes').create({ text: await request.text() });
      return { id, secret: config.get('SECRET') };
    }`,
    'upper.js': `export default (request) => new Response(request.body.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TransformStream({ transform: (text, out) => out.enqueue(text.toUpperCase()) }))
      .pipeThrough(new TextEncoderStream()), { status: 202, headers: { 'x-own': '1' } })`,
    'late.js': `export const timeoutSeconds = 1; export default () => new Promise(() => {})`,
    'fails.js': `export default () => { throw new RangeError('too far') }`,
  });
  expect(deployed.status).toBe(201);

  const { body } = await api.post('/functions/echo', { a: 1 });
  expect(body.data).toEqual({ id: expect.any(String), secret: 'kept' });
  expect((await api.get(`/collections/notes/${body.data.id}`)).body.data.text).toBe('{"a":1}');

  let next: ReadableStreamDefaultController<Uint8Array>;
  const sent = new ReadableStream<Uint8Array>({ start: (out) => void (next = out) });
  const streamed = fetch(`${url}/functions/upper`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    body: sent,
    duplex: 'half',
  });
  next!.enqueue(Buffer.from('one '));
  const answer = await streamed;
  expect([answer.status, answer.headers.get('x-own')]).toEqual([202, '1']);
  const reader = answer.body!.getReader();
  // The first part is back before the second was sent.
  expect(Buffer.from((await reader.read()).value).toString()).toBe('ONE ');
  next!.enqueue(Buffer.from('two'));
  next!.close();
  expect(Buffer.from((await reader.read()).value).toString()).toBe('TWO');

  expect((await api.get('/functions/late')).body.error.code).toBe('function_timed_out');
  expect((await api.get('/functions/fails')).body.error).toMatchObject({
    code: 'function_failed',
    details: { error: { name: 'RangeError', message: 'too far' } },
  });
  const runs = async () => (await api.get('/function-runs')).body.data as { id: string; function: string }[];
  await expect.poll(async () => (await runs()).map((run) => run.function)).toContain('echo');
  const { id } = (await runs()).find((run) => run.function === 'echo')!;
  expect((await api.get(`/function-runs/${id}`)).body.data.logs).toMatchObject([
    { text: 'printed at the pool' },
  ]);
});

test('F5: functions that call one another are as deep elsewhere', async () => {
  const { api } = await createProject();
  await deploy(api, {
    'again.js': `export default async (_, ctx) => {
      try { return await ctx.db.call({ path: '/functions/again' }); } catch (error) { return error.code ?? String(error); }
    }`,
  });
  expect(JSON.stringify((await api.get('/functions/again')).body)).toContain('hook_depth');
});

test('a pool has no address and no key of the service, and does not start with one', async () => {
  const { DATABASE_URL, SECRET_KEY } = t.config;
  for (const { process } of pools) {
    const environment = readFileSync(`/proc/${process.pid}/environ`, 'latin1');
    expect(environment).not.toContain(DATABASE_URL);
    expect(environment).not.toContain(SECRET_KEY);
  }
  for (const given of [{ DATABASE_URL }, { SECRET_KEY }]) {
    const { code, stderr } = await runPlinth(['functions', 'serve'], {
      SECRET_KEY: '',
      FUNCTIONS_POOL_SECRET: poolSecret,
      ...given,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${Object.keys(given)[0]} is set`)]);
  }
  const { code, stderr } = await runPlinth(['functions', 'serve'], {
    SECRET_KEY: '',
    FUNCTIONS_POOL_SECRET: 'short',
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('FUNCTIONS_POOL_SECRET')]);
});

/** Takes connections, and keeps what it is told. */
async function listener(): Promise<{ server: Server; at: string; heard: Buffer[] }> {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => heard.push(bytes));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { server, at: `tls://127.0.0.1:${(server.address() as { port: number }).port}`, heard };
}

test('who has another secret gets nothing, and tells nothing', async () => {
  const { api } = await createProject();
  await deploy(api, { 'hello.js': `export default () => 'hello'` });
  const other = await t.node(
    atPools(
      pools.map((pool) => pool.url),
      `${poolSecret}!`,
    ),
  );
  const { api: stranger } = await createProject(other.url);
  expect(
    (await stranger.post('/deployments', { files: { 'a.js': 'export default () => 1' }, entries: ['a.js'] }))
      .status,
  ).toBeGreaterThan(399);

  // A machine that poses as a pool is told nothing of a call.
  const { server, at, heard } = await listener();
  const fooled = await t.node(atPools([at]));
  const { apiKey } = await createProject();
  const refused = await new Client(fooled.url, { 'x-api-key': apiKey }).post('/deployments', {
    files: { 'a.js': `export default () => 'canary'` },
    entries: ['a.js'],
  });
  expect(refused.status).toBeGreaterThan(399);
  expect(Buffer.concat(heard).toString('latin1')).not.toContain('canary');
  server.close();
  expect((await api.get('/functions/hello')).body.data).toBe('hello');
});

test('no pool can be reached: 503, and it was not called', async () => {
  const { api, apiKey } = await createProject();
  await deploy(api, { 'hello.js': `export default () => 'hello'` });
  const { url: alone } = await t.node(atPools(['tls://127.0.0.1:1', 'tls://127.0.0.1:2']));
  const reply = await fetch(`${alone}/functions/hello`, { headers: { 'x-api-key': apiKey } });
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await reply.json()).toMatchObject({ error: { code: 'functions_unreachable' } });
});

type Pool = Awaited<ReturnType<typeof startPool>>;

const stateOf = async ({ health }: Pool) =>
  (await (await fetch(health)).json()) as { calls: number; isStopping: boolean };

/** Answers when the test says so. */
const slowSource = `export const timeoutSeconds = 300;
  export default async (_, ctx) => {
    while ((await ctx.db.collection('gate').all()).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
    return 'done';
  }`;

/** A slow function of each of some projects, called at two pools: one that has some of the calls, and the other. */
async function callSlow(count: number) {
  const [a, b] = await Promise.all([startPool(), startPool()]);
  const { url: at } = await t.node(atPools([a.url, b.url]));
  const made = await Promise.all(Array.from({ length: count }, () => createProject(at)));
  const callQuick = () =>
    Promise.all(made.map(async ({ api }) => (await api.get('/functions/quick')).body.data));
  for (const { api } of made) {
    await api.post('/collections', { name: 'gate' });
    const deployed = await deploy(api, { 'slow.js': slowSource, 'quick.js': `export default () => 'quick'` });
    expect(deployed.status, deployed.text).toBe(201);
  }
  expect(await callQuick()).toEqual(made.map(() => 'quick'));
  const calls = async () => (await stateOf(a)).calls + (await stateOf(b)).calls;
  // A deployment warms its pool, which is a call too.
  await expect.poll(calls).toBe(0);
  const slow = made.map(({ api }) => api.get('/functions/slow'));
  await expect.poll(calls).toBe(count);
  const { calls: callsOfA } = await stateOf(a);
  const [busy, other] = callsOfA > 0 ? [a, b] : [b, a];
  return {
    busy,
    other,
    callsOfBusy: callsOfA > 0 ? callsOfA : count,
    slow,
    callQuick,
    finish: () => Promise.all(made.map(({ api }) => api.post('/collections/gate', {}))),
  };
}

test('a pool that stops finishes its calls, and the next go elsewhere', async () => {
  const { busy: leaving, other: staying, slow, callQuick, finish } = await callSlow(6);
  leaving.process.signal('SIGTERM');
  await expect.poll(async () => (await stateOf(leaving)).isStopping).toBe(true);
  const quick = callQuick();
  await finish();
  expect(await quick).toEqual(slow.map(() => 'quick'));
  for (const { body } of await Promise.all(slow)) expect(body.data).toBe('done');
  expect((await leaving.process.ended).code).toBe(0);
  expect((await fetch(staying.health)).status).toBe(200);
  await staying.process[Symbol.asyncDispose]();
});

test('a pool that is killed takes its calls with it, and no others', async () => {
  const { busy: killed, other: staying, callsOfBusy: lost, slow, callQuick, finish } = await callSlow(8);
  await killed.process.stop('SIGKILL');
  await finish();
  const outcomes = (await Promise.all(slow)).map(({ body }) => body.data ?? body.error.code);
  expect(outcomes.filter((outcome) => outcome === 'function_crashed')).toHaveLength(lost);
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(slow.length - lost);
  expect(await callQuick()).toEqual(slow.map(() => 'quick'));
  await staying.process[Symbol.asyncDispose]();
});
