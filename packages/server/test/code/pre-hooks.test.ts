// @postgres newest
import { expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { asked } from '../support/code/asked.ts';
import { deploy, onWrite, refusal } from '../support/code/deploy.ts';
import { bearing, newEmail } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

const listOf = async (api: Client, collection: string) =>
  (await api.get(`/collections/${collection}?orderBy=createdAt&limit=100`)).body.data;
const countOf = async (api: Client, collection: string) => (await listOf(api, collection)).length;
const outcomesOf = async (api: Client, name: string): Promise<string[]> =>
  (await api.get(`/function-runs?function=${name}`)).body.data.map(
    ({ outcome }: { outcome: string }) => outcome,
  );
/** Without those that were late: they are asked again. */
const answersOf = async (api: Client, name: string) =>
  (await outcomesOf(api, name)).filter((outcome) => outcome !== 'timed_out' && outcome !== 'busy');
const warm = { 'warm.js': 'export const timeoutSeconds = 300; export default () => true' };

/** A project with a collection of posts and these hooks. */
async function projectWith(hooks: Record<string, string>, settings: Record<string, unknown> = {}) {
  const made = await t.createProject();
  await made.api.post('/collections', { name: 'posts', settings });
  const deployed = await deploy(made.api, { ...hooks, ...warm });
  expect(deployed.status, deployed.text).toBe(201);
  // The start of their process is not part of the seconds that the hooks have.
  expect((await made.api.get('/functions/warm')).status).toBe(200);
  return made;
}

async function signUp(ref: string) {
  const body = { email: newEmail(), password: 'correct horse' };
  const reply = await new Client(`${t.url}/p/${ref}`).post('/auth-collections/signup', body);
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.body.data.user.id, me: bearing(t, reply.body.access_token) };
}

test('what a hook returns is written, and what it was told is what would have been', async () => {
  const note = `await ctx.db.collection('log').create({ ...event, id: undefined, told: event.id, user: ctx.user?.id })`;
  const { api } = await projectWith({
    'slug.js': onWrite(
      'pre_create',
      'posts',
      `${note}; return { slug: event.document.title.toLowerCase(), id: 'x', createdAt: 1, $unset: ['secret'] }`,
    ),
    'touch.js': onWrite('pre_update', 'posts', `${note}; return { touched: event.before.title }`),
    'gone.js': onWrite('pre_delete', 'posts', note),
  });
  await api.post('/collections', { name: 'log' });
  const created = await asked(() => api.post('/collections/posts', { title: 'Hello', secret: 1 }));
  expect(created.status, created.text).toBe(201);
  const { id, createdAt } = created.body.data;
  expect(created.body.data).toEqual({ id, createdAt, updatedAt: createdAt, title: 'Hello', slug: 'hello' });
  const change = { title: 'Bye', $increment: { views: 2 } };
  const changed = await asked(() => api.patch(`/collections/posts/${id}`, change));
  expect(changed.body.data).toMatchObject({ title: 'Bye', slug: 'hello', views: 2, touched: 'Hello' });
  const replaced = await asked(() => api.put(`/collections/posts/${id}`, { title: 'New' }));
  expect(replaced.body.data).toEqual({
    ...created.body.data,
    updatedAt: replaced.body.data.updatedAt,
    title: 'New',
    slug: undefined,
    touched: 'Bye',
  });
  expect((await asked(() => api.delete(`/collections/posts/${id}`))).status).toBe(200);
  expect(await listOf(api, 'log')).toMatchObject([
    { event: 'pre_create', collection: 'posts', document: { title: 'Hello', secret: 1 } },
    {
      event: 'pre_update',
      document: { id, title: 'Bye', views: 2 },
      before: { id, title: 'Hello' },
      changes: { title: 'Bye', $increment: { views: 2 } },
    },
    { event: 'pre_update', document: { id, title: 'New' }, before: { title: 'Bye' } },
    { event: 'pre_delete', document: { id, title: 'New', touched: 'Bye' } },
  ]);
  await expect.poll(() => answersOf(api, 'touch')).toEqual(['ok', 'ok']);
});

test('several hooks are asked in the order of their names, each told what those before it have changed', async () => {
  const add = (letter: string) =>
    onWrite('pre_create', 'posts', `return { path: (event.document.path ?? '') + '${letter}' }`);
  const { api } = await projectWith({ 'c.js': add('c'), 'a.js': add('a'), 'b.js': add('b') });
  expect((await asked(() => api.post('/collections/posts', {}))).body.data.path).toBe('abc');
});

test('a refusal is told in its own words, and nothing is written', async () => {
  const { api } = await projectWith({ 'no.js': onWrite('pre_create', 'posts', refusal('Not on Sundays.')) });
  const reply = await asked(() => api.post('/collections/posts', {}));
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatchObject({
    code: 'hook_refused',
    message: 'Not on Sundays.',
    details: { hook: 'no' },
  });
  const several = await asked(() => api.post('/collections/posts/batch', { documents: [{}, {}] }));
  expect(several.body.error).toMatchObject({ code: 'hook_refused', details: { hook: 'no', index: 0 } });
  expect(await countOf(api, 'posts')).toBe(0);
  await expect.poll(async () => (await outcomesOf(api, 'no')).includes('refused')).toBe(true);
});

test('a hook that throws, ends its process or returns nonsense refuses; one that may fail is passed over', async () => {
  const fails = {
    thrown: `throw new Error('a secret of the code')`,
    ended: `Deno.exit(1)`,
    list: `return [1]`,
    deep: `let at = {}; const all = at; for (let i = 0; i < 40; i++) at = at.x = {}; return all`,
    unsafe: `return JSON.parse('{"__proto__": {"x": 1}}')`,
    long: `return { text: 'x'.repeat(3e6) }`,
  };
  for (const [name, run] of Object.entries(fails)) {
    const { api } = await projectWith({ 'check.js': onWrite('pre_create', 'posts', run) });
    const reply = await api.post('/collections/posts', {});
    expect([reply.status, reply.body.error.code], `${name}: ${reply.text}`).toEqual([400, 'hook_failed']);
    expect(reply.text).not.toContain('a secret of the code');
    expect(await countOf(api, 'posts')).toBe(0);
  }
  const { api } = await projectWith({
    'check.js': onWrite('pre_create', 'posts', fails.thrown, '{ failOpen: true }'),
    'no.js': onWrite('pre_delete', 'posts', refusal('Never.'), '{ failOpen: true }'),
  });
  const { id } = (await api.post('/collections/posts', { kept: true })).body.data;
  expect((await api.delete(`/collections/posts/${id}`)).body.error.code).toBe('hook_refused');
});

test('a hook that is late is ended, and one that always is is not asked for a while', async () => {
  const { api } = await projectWith({
    'slow.js': onWrite(
      'pre_create',
      'posts',
      `if (event.document.slow) await new Promise(() => {})`,
      '{ timeoutSeconds: 1 }',
    ),
  });
  for (let tried = 1; tried <= 5; tried += 1) {
    const late = await api.post('/collections/posts', { slow: true });
    expect(late.body.error).toMatchObject({ code: 'hook_failed', details: { hook: 'slow' } });
  }
  const rested = await api.post('/collections/posts', {});
  expect(rested.body.error.message).toContain('is paused for 10 seconds');
  expect(await outcomesOf(api, 'slow').then((all) => all.length)).toBeLessThanOrEqual(5);
  await expect.poll(async () => (await api.post('/collections/posts', {})).status).toBe(201);
  expect((await asked(() => api.post('/collections/posts', {}))).status).toBe(201);
});

test('all hooks of a call have one deadline', async () => {
  const wait = onWrite('pre_create', 'posts', `await new Promise((done) => setTimeout(done, 3000))`);
  const { api } = await projectWith({ 'one.js': wait, 'two.js': wait });
  const begun = performance.now();
  const reply = await api.post('/collections/posts', {});
  expect(reply.body.error).toMatchObject({ code: 'hook_failed', details: { hook: 'two' } });
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('options that a hook cannot have are refused when it is deployed', async () => {
  const { api } = await t.createProject();
  const refusedFor = async (code: string) =>
    (await deploy(api, { 'x.js': code })).body.error?.details.problems[0].message;
  expect(await refusedFor(onWrite('pre_create', 'posts', '', '{ ordered: true }'))).toContain('ordered');
  expect(await refusedFor(onWrite('pre_create', 'posts', '', '{ timeoutSeconds: 6 }'))).toContain(
    'at most 5',
  );
  expect(await refusedFor(onWrite('post_create', 'posts', '', '{ failOpen: true }'))).toContain('failOpen');
  expect(await refusedFor(onWrite('pre_read', 'posts', ''))).toContain('unknown event');
});

test('rules judge the wish before code runs, and what the code has made of it', async () => {
  const { api, ref } = await projectWith(
    {
      'create.js': onWrite(
        'pre_create',
        'posts',
        `return event.document.steal ? { state: 'public' } : { hidden: 1 }`,
      ),
      'update.js': onWrite(
        'pre_update',
        'posts',
        `return event.document.steal ? { state: 'public' } : { hidden: 2 }`,
      ),
    },
    {
      ownerField: 'owner',
      rules: { read: 'public', create: 'state=draft', update: 'owner=@user.id&state=draft' },
      hiddenFields: ['hidden'],
    },
  );
  const [ada, bob] = [await signUp(ref), await signUp(ref)];
  const denied = await ada.me.post('/collections/posts', { state: 'public' });
  expect(denied.status, denied.text).toBe(403);
  expect(await outcomesOf(api, 'create')).toEqual([]);
  const stolen = await asked(() => ada.me.post('/collections/posts', { state: 'draft', steal: true }));
  expect(stolen.status, stolen.text).toBe(403);
  const made = await asked(() => ada.me.post('/collections/posts', { state: 'draft' }));
  expect(made.status, made.text).toBe(201);
  const path = `/collections/posts/${made.body.data.id}`;
  expect((await api.get(path)).body.data).toMatchObject({ owner: ada.id, hidden: 1 });
  expect((await bob.me.patch(path, { text: 'mine' })).status).toBe(403);
  await expect.poll(() => answersOf(api, 'create')).toHaveLength(2);
  expect(await outcomesOf(api, 'update')).toEqual([]);
  expect((await asked(() => ada.me.patch(path, { steal: true }))).status).toBe(403);
  expect((await ada.me.patch(path, { hidden: 9 })).status).toBe(403);
  expect((await asked(() => ada.me.patch(path, { text: 'mine' }))).status).toBe(200);
  expect((await api.get(path)).body.data).toMatchObject({ owner: ada.id, hidden: 2, text: 'mine' });
});

test('the schema judges what the code has made, not what was sent', async () => {
  const schema = { type: 'object', required: ['slug'], properties: { slug: { type: 'string' } } };
  const { api } = await projectWith(
    { 'slug.js': onWrite('pre_create', 'posts', `return { slug: event.document.bad ? 1 : 'x' }`) },
    { schema },
  );
  expect((await asked(() => api.post('/collections/posts', {}))).status).toBe(201);
  const bad = await asked(() => api.post('/collections/posts', { bad: true }));
  expect(bad.body.error.code).toBe('schema_mismatch');
});

test('a change is saved only for the version that the hook has seen', async () => {
  const { api } = await projectWith({
    'bump.js': `export default async (request, ctx) => {
      const { id } = await request.json();
      await ctx.db.collection('posts').update(id, { $increment: { count: 1 } });
    }`,
    'race.js': onWrite(
      'pre_update',
      'posts',
      `if (!('most' in event.changes)) return;
       if (event.before.count < event.changes.most) await ctx.db.functions.call('bump', { id: event.document.id });
       return { saw: event.before.count };`,
    ),
    'gone.js': onWrite(
      'pre_delete',
      'posts',
      `if (event.document.count < 2) await ctx.db.functions.call('bump', { id: event.document.id })`,
    ),
  });
  const { id } = (await api.post('/collections/posts', { count: 0 })).body.data;
  const path = `/collections/posts/${id}`;
  const saved = await asked(() => api.patch(path, { most: 1 }));
  expect(saved.body.data, saved.text).toMatchObject({ count: 1, saw: 1 });
  const never = await asked(() => api.patch(path, { most: 99 }));
  expect(never.body.error.code).toBe('version_mismatch');
  expect((await api.get(path)).body.data).toMatchObject({ count: 4, most: 1 });
  const other = (await api.post('/collections/posts', { count: 0 })).body.data.id;
  const updates = [
    { id: other, most: 1 },
    { id: other, again: true },
  ];
  const several = await asked(() => api.post('/collections/posts/batch-update', { updates }));
  expect(several.body.data, several.text).toMatchObject([{}, { count: 1, saw: 1, again: true }]);
  expect((await asked(() => api.delete(`/collections/posts/${other}`))).status).toBe(200);
  await expect.poll(() => answersOf(api, 'gone')).toHaveLength(2);
});

test('a repeated call is answered without asking again', async () => {
  const { api } = await projectWith({
    'count.js': onWrite('pre_create', 'posts', `return { at: event.id }`),
    'change.js': onWrite('pre_update', 'posts', `return { at: event.id }`),
    'gone.js': onWrite('pre_delete', 'posts', ''),
  });
  const twice = async (call: (key: { headers: Record<string, string> }) => Promise<Reply>) => {
    const key = { headers: { 'idempotency-key': newEmail() } };
    const [first, second] = [await asked(() => call(key)), await call(key)];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    return first;
  };
  await twice((key) => api.post('/collections/posts', {}, key));
  const [{ id }] = await listOf(api, 'posts');
  await twice((key) => api.patch(`/collections/posts/${id}`, { a: 1 }, key));
  await twice((key) => api.post('/collections/posts/batch', { documents: [{}] }, key));
  await twice((key) => api.delete(`/collections/posts/${id}`, key));
  await expect.poll(() => answersOf(api, 'count')).toHaveLength(2);
  await expect.poll(() => answersOf(api, 'change')).toHaveLength(1);
  await expect.poll(() => answersOf(api, 'gone')).toHaveLength(1);
});

test('a batch asks about each of at most 100 items', async () => {
  const { api } = await projectWith({
    'each.js': onWrite('pre_create', 'posts', `return { twice: event.document.n * 2 }`),
  });
  const documents = Array.from({ length: 101 }, (_, n) => ({ n }));
  const tooMany = await api.post('/collections/posts/batch', { documents });
  expect(tooMany.body.error).toMatchObject({ code: 'batch_too_large' });
  const made = await asked(() => api.post('/collections/posts/batch', { documents: documents.slice(1) }));
  expect(made.status, made.text).toBe(201);
  for (const { n, twice } of made.body.data) expect(twice).toBe(n * 2);
  await api.post('/collections', { name: 'free' });
  expect((await api.post('/collections/free/batch', { documents })).status).toBe(201);
});

test('a hook does not set itself off, and others no deeper than 5', async () => {
  const copy = (from: string, to: string) =>
    onWrite(
      'pre_create',
      from,
      `
      try { await ctx.db.collection('${to}').create({ n: event.document.n + 1, of: event.document.of }) }
      catch (error) { return { stopped: error.code } }`,
    );
  const { api } = await projectWith({
    'self.js': copy('posts', 'posts'),
    'ping.js': copy('ping', 'pong'),
    'pong.js': copy('pong', 'ping'),
  });
  for (const name of ['ping', 'pong']) await api.post('/collections', { name });
  const own = await asked(() => api.post('/collections/posts', { n: 0 }));
  expect(own.body.data.stopped).toBe('hook_recursion');
  expect(await countOf(api, 'posts')).toBe(1);
  // A hook that is late ends a chain early, so each time another one is looked at.
  const chain = async () => {
    const of = crypto.randomUUID();
    const { status } = await api.post('/collections/ping', { n: 0, of });
    const both = await Promise.all(
      ['ping', 'pong'].map(async (name) => (await api.get(`/collections/${name}?of=${of}`)).body.data),
    );
    const numbers = both.flat().toSorted((a, b) => a.n - b.n);
    return { status, numbers: numbers.map(({ n }) => n), stopped: numbers.at(-1)?.stopped };
  };
  await expect.poll(chain).toEqual({ status: 201, numbers: [0, 1, 2, 3, 4, 5], stopped: 'hook_depth' });
});

test('hooks begin and end with their deployment, on every node', async () => {
  const other = await t.node();
  const { api, apiKey } = await projectWith({});
  const there = bearing(t, apiKey, other.url);
  expect((await there.post('/collections/posts', {})).status).toBe(201);
  await deploy(api, { 'no.js': onWrite('pre_create', 'posts', refusal('No.')) });
  const refused = await asked(() => api.post('/collections/posts', {}));
  expect(refused.body.error.code).toBe('hook_refused');
  await expect
    .poll(async () => (await there.post('/collections/posts', {})).body.error?.code)
    .toBe('hook_refused');
  await deploy(api, {});
  expect((await api.post('/collections/posts', {})).status).toBe(201);
  await expect.poll(async () => (await there.post('/collections/posts', {})).status).toBe(201);
});
