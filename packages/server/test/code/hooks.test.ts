// @postgres newest
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { newEmail } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';
import { deploy, onUsers, onWrite, trigger } from './deploy.ts';

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
