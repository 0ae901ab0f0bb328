// @postgres newest
import { expect, test } from 'vitest';
import { setConfig, setEnv } from '../../src/features/control/projects/index.ts';
import { openVault } from '../../src/platform/crypto/vault.ts';
import { Client } from '../support/client.ts';
import { deploy } from '../support/code/deploy.ts';
import { bearing, newEmail } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

async function signUp(ref: string) {
  const email = newEmail();
  const door = new Client(`${t.url}/p/${ref}`);
  const { body } = await door.post('/auth-collections/signup', { email, password: 'correct horse' });
  return { email, me: bearing(t, body.data.access_token) };
}

test('a function answers requests: values in the envelope, responses as they are', async () => {
  const { api, apiKey } = await t.createProject();
  const deployed = await deploy(api, {
    'hello.js': `export default async (request, ctx) => ({
      method: request.method, path: new URL(request.url).pathname.split('/functions')[1],
      query: new URL(request.url).searchParams.get('q'), body: await request.text(), user: ctx.user,
    })`,
    'page.js': `export default () => new Response('<p>Hi</p>',
      { status: 202, headers: { 'content-type': 'text/html', 'x-own': '1', 'set-cookie': 'a=b' } })`,
  });
  expect(deployed.status).toBe(201);
  expect(deployed.body.data).toMatchObject({ version: 1, added: ['hello', 'page'], removed: [] });

  const answer = await api.post('/functions/hello/a/b?q=1', { x: 1 });
  expect(answer.body).toEqual({
    success: true,
    data: { method: 'POST', path: '/hello/a/b', query: '1', body: '{"x":1}', user: null },
  });
  const bare = await api.get('/functions/hello', { headers: { 'x-response-format': 'bare' } });
  expect(bare.body.method).toBe('GET');
  const page = await fetch(`${t.url}/functions/page`, { headers: { 'x-api-key': apiKey } });
  expect([page.status, await page.text()]).toEqual([202, '<p>Hi</p>']);
  expect(page.headers.get('x-own')).toBe('1');
  expect(page.headers.get('set-cookie')).toBeNull();
  expect(page.headers.get('content-security-policy')).toContain('sandbox');
});

test('who may call a function is its access', async () => {
  const { api, ref } = await t.createProject();
  const body = 'export default (_, ctx) => ({ user: ctx.user?.email ?? null })';
  await deploy(api, {
    'own.js': body,
    'theirs.js': `export const access = 'users'; ${body}`,
    'everyone.js': `export const access = 'public'; ${body}`,
  });
  const nobody = (name: string) => t.anonymous.get(`/p/${ref}/functions/${name}`);
  const user = await signUp(ref);
  const statuses = async (call: (name: string) => Promise<{ status: number }>) =>
    Promise.all(['own', 'theirs', 'everyone'].map(async (name) => (await call(name)).status));
  expect(await statuses(nobody)).toEqual([403, 401, 200]);
  expect(await statuses((name) => user.me.get(`/functions/${name}`))).toEqual([403, 200, 200]);
  expect(await statuses((name) => api.get(`/functions/${name}`))).toEqual([200, 200, 200]);
  expect((await user.me.get('/functions/theirs')).body.data).toEqual({ user: user.email });
});

test('ctx.db has the rights of a server, or those of a user', async () => {
  const { api, ref } = await t.createProject();
  await api.post('/collections', { name: 'notes' });
  await api.post('/collections/notes', { text: 'secret' });
  const user = await signUp(ref);
  await deploy(api, {
    'notes.js': `export const access = 'users';
      export default async (request, ctx) => {
        const { id } = await ctx.db.collection('notes').create({ text: 'made' });
        const all = await ctx.db.collection('notes').all();
        const theirs = await ctx.db.as(ctx.user).collection('notes').all().catch((error) => error.code);
        return { id, all: all.length, theirs };
      }`,
  });
  const { body } = await user.me.post('/functions/notes');
  expect(body.data).toEqual({ id: expect.any(String), all: 2, theirs: 'rule_denied' });
});

test('F3, F4: config.get reads configuration keys and variables, and a change counts from the next call', async () => {
  const { api, ref } = await t.createProject();
  const vault = openVault(t.config);
  await setEnv(t.control, vault, { ref, key: 'stripe key', value: 'one' });
  await setConfig(t.control, ref, 'FRONTEND_URL', 'https://app.example.com');
  await deploy(api, {
    'config.js': `export default (_, ctx) => [
      ctx.config.get('stripe key'), config.get('STRIPE_KEY'), ctx.config.get('FRONTEND_URL'), ctx.config.get('NONE', 'other'),
      ctx.config.get('NONE'), ctx.config.get('constructor'), ctx.config.get('__proto__'), typeof process.env.PATH,
    ]`,
  });
  const read = async () => (await api.get('/functions/config')).body.data;
  expect(await read()).toEqual([
    'one',
    'one',
    'https://app.example.com',
    'other',
    null,
    null,
    null,
    'undefined',
  ]);
  await setEnv(t.control, vault, { ref, key: 'STRIPE_KEY', value: 'two' });
  expect((await read())[0]).toBe('two');
});

test('what fails is told in source lines, with its log, to whom the project trusts', async () => {
  const { api, ref } = await t.createProject();
  await deploy(api, {
    'broken.js': `export const access = 'public';
export default async (_, ctx) => {
  console.log('before', { a: 1 });
  ctx.log.warn('careful');
  throw new TypeError('no stock');
}`,
  });
  const failed = await api.get('/functions/broken');
  expect(failed.status).toBe(500);
  expect(failed.body.error).toMatchObject({
    code: 'function_failed',
    details: { function: 'broken', error: { name: 'TypeError', message: 'no stock' } },
  });
  expect(failed.body.error.details.error.stack).toContain('broken.js:5:9');
  const shown = await t.anonymous.get(`/p/${ref}/functions/broken`);
  expect(shown.text).not.toContain('no stock');

  const run = async () => (await api.get(`/function-runs/${failed.body.error.details.run}`)).body.data;
  await expect.poll(run).toMatchObject({
    function: 'broken',
    outcome: 'failed',
    error: { message: 'no stock' },
    logs: [
      { level: 'info', text: 'before { a: 1 }' },
      { level: 'warn', text: 'careful' },
      { level: 'error', text: expect.stringContaining('no stock') },
    ],
  });
  const failures = async () => (await api.get('/function-runs?outcome=failed&function=broken')).body.data;
  await expect.poll(failures).toHaveLength(2);
});

test('a deployment is all or nothing, and going back is one call', async () => {
  const { api } = await t.createProject();
  await deploy(api, { 'a.js': 'export default () => 1', 'b.js': 'export default () => 1' });
  const refused = await deploy(api, {
    'a.js': 'export default () => 2',
    'c.js': `import './_gone.js'; export default () => 2`,
    'd.js': 'export const nothing = 1',
    'e.js': `export const access = 'all'; export default () => 1`,
  });
  expect(refused.body.error.code).toBe('deploy_failed');
  expect(refused.body.error.details.problems.map(({ file }: { file: string }) => file)).toEqual([
    'c.js',
    'd.js',
    'e.js',
  ]);
  expect((await api.get('/functions/a')).body.data).toBe(1);

  const second = await deploy(api, { 'a.js': 'export default () => 2' });
  expect(second.body.data).toMatchObject({ version: 2, added: [], removed: ['b'] });
  expect((await api.get('/functions/a')).body.data).toBe(2);
  expect((await api.get('/functions/b')).body.error.code).toBe('function_not_found');

  expect((await api.post('/deployments/1/activate')).body.data).toMatchObject({ version: 1, isActive: true });
  expect((await api.get('/functions/a')).body.data).toBe(1);
  expect((await api.get('/functions/b')).body.data).toBe(1);
  const kept = await api.get('/deployments');
  expect(kept.body.data.map(({ version, isActive }: Record<string, unknown>) => [version, isActive])).toEqual(
    [
      [2, false],
      [1, true],
    ],
  );
  expect((await api.post('/deployments/9/activate')).body.error.code).toBe('deployment_not_found');
});

test('a dry run says what would change, and changes nothing', async () => {
  const { api } = await t.createProject();
  const body = { files: { 'a.js': 'export default () => 1' }, entries: ['a.js'] };
  const tried = await api.post('/deployments?dryRun=true', body);
  expect(tried.body.data).toMatchObject({ version: null, added: ['a'] });
  expect((await api.get('/deployments')).body.data).toEqual([]);
  expect((await api.post('/deployments?dryRun=yes', body)).body.error.code).toBe('invalid_query');
});

test('bodies stream both ways', async () => {
  const { api, apiKey } = await t.createProject();
  await deploy(api, {
    'upper.js': `export default (request) => new Response(request.body.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TransformStream({ transform: (text, out) => out.enqueue(text.toUpperCase()) }))
      .pipeThrough(new TextEncoderStream()))`,
  });
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const answer = fetch(`${t.url}/functions/upper`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    body: readable,
    duplex: 'half',
  });
  const encoder = new TextEncoder();
  await writer.write(encoder.encode('one '));
  const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('ONE ');
  await writer.write(encoder.encode('two'));
  expect((await reader.read()).value).toBe('TWO');
  await writer.close();
  expect((await reader.read()).done).toBe(true);
});

test('F1: what loops, hangs, eats memory or ends its process harms itself alone', async () => {
  const [mine, theirs] = [await t.createProject(), await t.createProject()];
  await deploy(theirs.api, { 'fine.js': 'export default () => "fine"' });
  await deploy(mine.api, {
    'loop.js': 'export const timeoutSeconds = 1; export default () => { for (;;) {} }',
    'hang.js': 'export const timeoutSeconds = 1; export default () => new Promise(() => {})',
    'heap.js':
      'export default () => { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); }',
    'exit.js': 'export default () => Deno.exit(3)',
    'fine.js': 'export default () => "fine"',
  });
  const codes = await Promise.all(
    ['loop', 'hang', 'heap', 'exit'].map(
      async (name) => (await mine.api.get(`/functions/${name}`)).body.error.code,
    ),
  );
  // They share a process: one that is ended takes the others with it.
  for (const code of codes) expect(code).toMatch(/^function_(timed_out|crashed|out_of_memory)$/);
  expect((await theirs.api.get('/functions/fine')).body.data).toBe('fine');
  expect((await mine.api.get('/functions/fine')).body.data).toBe('fine');
});

test('what is too large, unknown or misspelt is refused in words', async () => {
  const { api, ref } = await t.createProject();
  await deploy(api, { 'orders.js': 'export default async (request) => (await request.text()).length' });
  const large = await api.post('/functions/orders', undefined, { raw: 'x'.repeat(6 * 1_048_576 + 1) });
  expect(large.body.error.code).toBe('body_too_large');
  expect((await api.post('/functions/order')).body.error.message).toContain('Did you mean "orders"?');
  for (const name of ['constructor', '__proto__', 'toString'])
    expect((await api.post(`/functions/${name}`)).body.error.code, name).toBe('function_not_found');
  const [other] = t.projects;
  expect((await t.anonymous.get(`/p/${ref}/functions/x`)).body.error.code).toBe('function_not_found');
  expect((await other.api.get('/functions/orders')).body.error.code).toBe('function_not_found');
});
