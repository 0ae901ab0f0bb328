// @postgres newest
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKey } from '../../src/features/control/api-keys/index.ts';
import { Client } from '../support/client.ts';
import { deploy, onUsers, onWrite, trigger } from '../support/code/deploy.ts';
import { newEmail } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

const listOf = async (api: Client, collection: string) =>
  (await api.get(`/collections/${collection}?orderBy=createdAt`)).body.data;

async function projectWith(...collections: string[]) {
  const made = await t.createProject();
  for (const name of collections) await made.api.post('/collections', { name });
  return made;
}

test('F5: hooks run after what was written, with the document, and after sign-ups', async () => {
  const { api, ref } = await projectWith('orders', 'log');
  const note = `await ctx.db.collection('log').create({ event: event.event, of: event.document?.id ?? event.user.id, attempt: event.attempt })`;
  await deploy(api, {
    'created.js': onWrite('post_create', 'orders', note),
    'updated.js': onWrite('post_update', 'orders', note),
    'deleted.js': onWrite('post_delete', 'orders', note),
    'joined.js': onUsers('post_register', note),
  });
  const { id } = (await api.post('/collections/orders', { total: 3 })).body.data;
  await expect.poll(() => listOf(api, 'log')).toMatchObject([{ event: 'post_create', of: id, attempt: 1 }]);
  await api.patch(`/collections/orders/${id}`, { total: 4 });
  await expect.poll(() => listOf(api, 'log')).toHaveLength(2);
  await api.delete(`/collections/orders/${id}`);
  await expect.poll(() => listOf(api, 'log')).toHaveLength(3);
  const door = new Client(`${t.url}/p/${ref}`);
  const signedUp = await door.post('/auth-collections/signup', {
    email: newEmail(),
    password: 'correct horse',
  });
  await expect.poll(() => listOf(api, 'log')).toHaveLength(4);
  expect((await listOf(api, 'log')).at(-1)).toMatchObject({
    event: 'post_register',
    of: signedUp.body.data.user.id,
  });
});

test('F5: a hook that throws harms no write, and is tried again', async () => {
  const { api } = await projectWith('orders', 'log');
  await deploy(api, {
    'flaky.js': onWrite(
      'post_create',
      'orders',
      `await ctx.db.collection('log').create({ attempt: event.attempt }); if (event.attempt < 2) throw new Error('not yet')`,
    ),
  });
  expect((await api.post('/collections/orders', {})).status).toBe(201);
  await expect.poll(() => listOf(api, 'log')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  await expect
    .poll(async () => (await api.get('/function-runs?function=flaky')).body.data)
    .toMatchObject([{ outcome: 'ok' }, { outcome: 'failed', error: { message: 'not yet' } }]);
});

test('what waits for a hook and what is dead is seen, and dead events run again under their ids', async () => {
  const { api, ref, cell } = await projectWith('orders', 'log');
  const fails = onWrite('post_create', 'orders', `throw new Error('not yet')`);
  await deploy(api, { 'flaky.js': fails, 'later.js': trigger(`kind: 'task'`, '') });
  const { id } = (await api.post('/collections/orders', { total: 3 })).body.data;
  const flaky = async () => (await api.get('/background-functions/flaky')).body.data;
  await expect.poll(flaky).toMatchObject({
    kind: 'hook',
    events: ['orders.create'],
    enabled: true,
    health: { waiting: 1, dead: 0, failingSince: expect.any(String) },
  });
  expect((await api.get('/background-functions')).body.data).toMatchObject([
    { name: 'flaky', health: { waiting: 1 } },
    { name: 'later', kind: 'task', events: [], health: { waiting: 0, dead: 0 } },
  ]);
  const at = '/background-functions/flaky/deliveries';
  const [waiting] = (await api.get(at)).body.data;
  expect(waiting).toMatchObject({ type: 'orders.create', status: 'waiting', error: 'failed: not yet' });
  expect((await api.get(`${at}/${waiting.id}`)).body.data.payload.document.id).toBe(id);
  // Whoever may see deployments may not read documents for that.
  const readsWith = async (...scopes: string[]) => {
    const { apiKey } = await createKey(t.control, { ref, name: 'test', scopes });
    return new Client(t.url, { 'x-api-key': apiKey }).get(`${at}/${waiting.id}`);
  };
  expect(await readsWith('deployments:read')).toFailWith(403, 'scope_missing');
  expect((await readsWith('deployments:read', 'collection:orders:read')).status).toBe(200);
  expect((await api.get(`${at}?status=delivered`)).body.error.code).toBe('invalid_query');

  // As if it had failed ten times.
  await t.cells.pool(cell).query(
    `WITH ended AS (DELETE FROM cell.deliveries WHERE id = $1 RETURNING *)
     INSERT INTO cell.dead_deliveries (project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at)
     SELECT project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at FROM ended`,
    [waiting.id],
  );
  expect((await api.get(`${at}?status=dead`)).body).toMatchObject({
    data: [{ id: waiting.id, status: 'dead' }],
    counts: { waiting: 0, dead: 1 },
  });
  const note = `await ctx.db.collection('log').create({ event: event.id })`;
  await deploy(api, { 'flaky.js': onWrite('post_create', 'orders', note) });
  const replayed = await api.post('/background-functions/flaky/replay', { dead: true });
  expect(replayed.body.data).toEqual({ replayed: 1 });
  await expect.poll(() => listOf(api, 'log')).toMatchObject([{ event: waiting.id }]);
  await expect.poll(flaky).toMatchObject({ health: { waiting: 0, dead: 0, failingSince: null } });

  // While it is paused nothing is kept for it.
  await api.patch('/background-functions/flaky', { enabled: false });
  await api.post('/collections/orders', {});
  const resumed = await api.patch('/background-functions/flaky', { enabled: true });
  expect(resumed.body.data).toMatchObject({ enabled: true, health: { waiting: 0 } });
  await api.post('/collections/orders', {});
  await expect.poll(() => listOf(api, 'log')).toHaveLength(2);

  // What a deployment leaves out, and has left nothing, is not listed.
  await deploy(api, {});
  expect((await api.get('/background-functions')).body.data).toEqual([]);
  expect((await api.patch('/background-functions/flaky', { enabled: true })).body.error.code).toBe(
    'function_not_found',
  );
});

test('F5: a hook that sets itself off ends at depth 5', async () => {
  const { api } = await projectWith('echo');
  await deploy(api, {
    'echo.js': onWrite(
      'post_create',
      'echo',
      `await ctx.db.collection('echo').create({ of: event.document.id })`,
    ),
  });
  await api.post('/collections/echo', {});
  await expect.poll(async () => (await listOf(api, 'echo')).length).toBe(7);
  const runs = async () => (await api.get('/function-runs?function=echo')).body.data.length;
  await expect.poll(runs).toBe(6);
});

test('functions that call themselves end at depth 5', async () => {
  const { api } = await projectWith();
  await deploy(api, {
    'again.js': `export default async (_, ctx) => {
      try { return await ctx.db.functions.call('again') + 1 } catch (error) { return error.code === 'hook_depth' ? 0 : error.message }
    }`,
  });
  expect((await api.post('/functions/again')).body.data).toBe(5);
});

test('tasks run in the background, now or later, and of a deployment that is gone no more', async () => {
  const { api } = await projectWith('log');
  const files = {
    'later.js': trigger(
      `kind: 'task'`,
      `await ctx.db.collection('log').create({ got: event.payload, of: event.id })`,
    ),
    'ask.js': `export default (_, ctx) => ctx.tasks.add('later', { n: 2 }, { runAt: new Date(Date.now() + 300) })`,
  };
  await deploy(api, files);
  const first = await api.post('/tasks', { function: 'later', payload: { n: 1 } });
  await expect.poll(() => listOf(api, 'log')).toMatchObject([{ got: { n: 1 }, of: first.body.data.id }]);
  const second = await api.post('/functions/ask');
  await expect.poll(() => listOf(api, 'log')).toMatchObject([{}, { got: { n: 2 }, of: second.body.data.id }]);
  expect((await api.post('/tasks', { function: 'none' })).body.error.code).toBe('function_not_found');
  await deploy(api, { 'ask.js': files['ask.js'] });
  expect((await api.post('/tasks', { function: 'later' })).body.error.code).toBe('function_not_found');
  await api.post('/deployments/1/activate');
  const payload = randomBytes(4).toString('hex');
  await api.post('/tasks', { function: 'later', payload });
  await expect.poll(async () => (await listOf(api, 'log')).at(-1).got).toBe(payload);
});

test('what a hook returns is not looked at, however much it is', async () => {
  const { api } = await projectWith('orders');
  await deploy(api, { 'large.js': onWrite('post_create', 'orders', `return 'x'.repeat(3e7)`) });
  await api.post('/collections/orders', {});
  await expect
    .poll(async () => (await api.get('/function-runs?function=large')).body.data)
    .toMatchObject([{ outcome: 'ok' }]);
});
