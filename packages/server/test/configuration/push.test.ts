import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { newCollection, newDocument } from '../support/data/new-collection.ts';
import { useTestApp } from '../support/test-app.ts';
import { configuration, wordsOf } from './samples.ts';

const t = useTestApp();
const { posts } = configuration.collections;

test('a project becomes like a configuration, which is then what it has', async () => {
  const { api } = await t.createProject();
  const pushed = await api.put('/configuration', configuration);
  expect(pushed.status, pushed.text).toBe(200);
  expect(pushed.body.data.isApplied).toBe(true);
  expect(wordsOf(pushed)).toEqual([
    'Create the collection posts.',
    'Build the sort index of posts on status, -views.',
    'Build the unique index of posts on slug.',
    'Create the collection rooms.',
    'Replace the built-in mail template welcome.en.',
    'Change settings.language from "en" to "de".',
    'Change settings.rooms from {} to {"chat-*":"users"}.',
    'Change settings.testReceivers from [] to ["a@example.com"].',
    'Change settings.uploads from "users" to "server".',
    'Set configs.ALLOWED_SELF_ROLES to "a,b".',
    'Set configs.ENABLE_2FA to true.',
    'Set configs.OTP_LENGTH to 8.',
    'Change allowedOrigins from [] to ["https://b.example.com","https://a.example.com"].',
  ]);
  const pulled = await api.get('/configuration');
  const { version } = pushed.body.data;
  expect(pulled.headers.get('etag')).toBe(`"${version}"`);
  expect(pulled.body.data.version).toBe(version);
  expect(pulled.body.data.configuration).toMatchObject({
    ...configuration,
    collections: { posts, rooms: { rules: { read: 'public', create: 'locked' } } },
    settings: { ...configuration.settings, responseFormat: 'envelope', testReceivers: ['a@example.com'] },
    configs: { ...configuration.configs, ALLOWED_SELF_ROLES: 'a,b' },
  });
  const again = await api.put('/configuration', pulled.body.data.configuration);
  expect(again.body.data).toMatchObject({ changes: [], version });
  expect((await api.get('/collections/posts/indexes')).body.data).toHaveLength(2);
  // What counts from the next call on: the origins, for one.
  const origin = { headers: { origin: 'https://a.example.com' } };
  expect((await api.get('/collections', origin)).headers.get('access-control-allow-origin')).toBe(
    'https://a.example.com',
  );
});

test('a part that is left out is left alone; of one that is given nothing else stays', async () => {
  const { api } = await t.createProject();
  await api.put('/configuration', configuration);
  const { rules, ownerField } = posts;
  const pushed = await api.put('/configuration', {
    collections: { posts: { rules, ownerField, indexes: [{ kind: 'sort', fields: ['title'] }] }, rooms: {} },
    configs: { OTP_LENGTH: 4 },
  });
  expect(wordsOf(pushed)).toEqual([
    'Reset collections.posts.hiddenFields to its default; it is ["note"].',
    'Reset collections.posts.fieldRules to its default; it is {"likes":{"update":"users"}}.',
    'Reset collections.posts.autoIndex to its default; it is false.',
    'Remove the schema of the collection posts.',
    'Drop the sort index of posts on status, -views.',
    'Drop the unique index of posts on slug.',
    'Build the sort index of posts on title.',
    'Change collections.rooms.rules.read from "public" to "locked".',
    'Reset configs.ALLOWED_SELF_ROLES to its default; it is "a,b".',
    'Reset configs.ENABLE_2FA to its default; it is true.',
    'Change configs.OTP_LENGTH from 8 to 4.',
  ]);
  const { configuration: now } = (await api.get('/configuration')).body.data;
  expect(now.collections.posts).toEqual({
    rules,
    ownerField,
    indexes: [{ kind: 'sort', fields: ['title'] }],
  });
  expect(now.configs).toEqual({ OTP_LENGTH: 4 });
  expect(now.allowedOrigins).toEqual(configuration.allowedOrigins);
  expect(Object.keys(now.mails)).toEqual(['welcome.en']);
});

test('a dry run changes nothing, also with an Idempotency-Key', async () => {
  const { api } = await t.createProject();
  const before = (await api.get('/configuration')).body.data;
  for (const headers of [{}, { 'idempotency-key': 'once' }] as Record<string, string>[]) {
    const planned = await api.put('/configuration?dryRun=true', configuration, { headers });
    expect(planned.body.data).toMatchObject({ isApplied: false, version: before.version });
    expect(planned.body.data.changes).toHaveLength(13);
    expect((await api.get('/configuration')).body.data).toEqual(before);
  }
  // Collections that a dry run made are not remembered either.
  expect(await api.get('/collections/posts')).toFailWith(404, 'collection_not_found');
});

describe('what cannot be undone', () => {
  test('is refused and listed, and done once it is said', async () => {
    const { api } = await t.createProject();
    const { name, path } = await newCollection(api);
    await newDocument(api, path, { a: 1 });
    await newDocument(api, path, { a: 2 });
    await api.put('/configuration', { mails: configuration.mails });
    const target = { collections: { other: {} }, mails: {}, configs: { OTP_LENGTH: 4 } };
    const lost = [
      `Delete the collection ${name} with its 2 documents.`,
      'Delete the mail template welcome.en: the built-in one is used again.',
    ];
    const before = (await api.get('/configuration')).body.data;
    const refused = await api.put('/configuration', target);
    expect(refused).toFailWith(400, 'destructive_changes');
    expect(refused.body.error.details.changes).toEqual(lost);
    expect((await api.get('/configuration')).body.data).toEqual(before);
    expect((await api.get(path)).body.total).toBe(2);

    const plan = await api.put('/configuration?dryRun=true', target);
    expect(
      plan.body.data.changes.filter((one: { isDestructive: boolean }) => one.isDestructive),
    ).toHaveLength(2);
    const done = await api.put('/configuration?allowDestructive=true', target);
    expect(wordsOf(done).slice(0, 2)).toEqual([lost[0], 'Create the collection other.']);
    expect(await api.get(path)).toFailWith(404, 'collection_not_found');
    expect((await api.get('/configuration')).body.data.configuration).toMatchObject({ mails: {} });
  });
});

describe('refusals leave everything as it was, and say where they are', () => {
  test.each([
    [
      'a rule',
      { collections: { a: {}, b: { rules: { read: 'x=@user.name' } } } },
      'invalid_rule',
      'collections.b',
    ],
    ['a schema', { collections: { a: { schema: { type: 'nothing' } } } }, 'invalid_schema', 'collections.a'],
    ['a name', { collections: { '9': {} } }, 'invalid_collection_name', 'collections.9'],
    ['an owner', { collections: { a: { rules: { read: 'owner' } } } }, 'invalid_rule', 'collections.a'],
    [
      'an index',
      { collections: { a: { indexes: [{ kind: 'sort', fields: ['id'] }] } } },
      'invalid_index',
      'collections.a',
    ],
    ['an origin', { collections: { a: {} }, allowedOrigins: ['*'] }, 'invalid_setting', 'allowedOrigins'],
    ['a config', { collections: { a: {} }, configs: { OTP_LENGTH: 99 } }, 'invalid_setting', 'configs'],
    ['a room', { settings: { rooms: { 'a{b}': 'users' } } }, 'invalid_setting', 'settings'],
    [
      'a mail',
      { collections: { a: {} }, mails: { 'verification.en': { subject: 'x', body: 'y' } } },
      'invalid_template',
      'mails.verification.en',
    ],
    [
      'a mail that there is not',
      { mails: { 'wellcome.en': { body: 'y' } } },
      'template_not_found',
      'mails.wellcome.en',
    ],
  ])('%s', async (_what, body, code, at) => {
    const { api } = await t.createProject();
    const before = (await api.get('/configuration')).body.data;
    for (const query of ['', '?dryRun=true']) {
      const refused = await api.put(`/configuration${query}`, body);
      expect(refused).toFailWith(code === 'template_not_found' ? 404 : 400, code);
      expect(refused.body.error.details.at).toBe(at);
    }
    expect((await api.get('/configuration')).body.data).toEqual(before);
  });

  test('what is mistyped', async () => {
    const { api } = await t.createProject();
    const refused = await api.put('/configuration', { collection: {} });
    expect(refused.body.error.message).toContain('Did you mean "collections"?');
    expect(await api.put('/configuration?dryrun=true', {})).toFailWith(400, 'invalid_query');
    expect(await api.put('/configuration?dryRun=1', {})).toFailWith(400, 'invalid_query');
  });
});

test('a plan is applied to what it was made for, or not at all', async () => {
  const { api } = await t.createProject();
  const plan = await api.put('/configuration?dryRun=true', configuration);
  const headers = { 'if-match': plan.headers.get('etag')! };
  await api.post('/collections', { name: 'meanwhile' });
  const refused = await api.put('/configuration?allowDestructive=true', configuration, { headers });
  expect(refused).toFailWith(400, 'version_mismatch');
  expect((await api.get('/collections/meanwhile')).status).toBe(200);
});

test('of two pushes at once one wins, and the other is told', async () => {
  const { api, apiKey } = await t.createProject();
  const { url } = await t.node();
  const clients = [api, new Client(url, { 'x-api-key': apiKey })];
  const { version } = (await api.get('/configuration')).body.data;
  const headers = { 'if-match': `"${version}"` };
  const bodies = ['a', 'b', 'c', 'd'].map((name) => ({
    collections: { [name]: {}, all: { rules: { read: `name=${name}` } } },
    configs: { FRONTEND_URL: `https://${name}.example.com` },
  }));
  const answers = await Promise.all(
    bodies.map((body, at) => clients[at % 2]!.put('/configuration', body, { headers })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 200) expect(answer).toFailWith(400, 'version_mismatch');
  const winner = bodies[answers.findIndex(({ status }) => status === 200)]!;
  expect((await api.get('/configuration')).body.data.configuration).toMatchObject(winner);
});

test('the key of another project reads and changes its own only', async () => {
  const [first, second] = t.projects;
  await first.api.put('/configuration', { configs: { OTP_LENGTH: 5 } });
  const before = (await first.api.get('/configuration')).body.data;
  const pushed = await second.api.put('/configuration?allowDestructive=true', {
    collections: {},
    configs: {},
    allowedOrigins: [],
  });
  expect(pushed.body.data.project.ref).toBe(second.ref);
  const crossed = await fetch(`${t.url}/p/${first.ref}/configuration`, {
    method: 'PUT',
    headers: { 'x-api-key': second.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ configs: {} }),
  });
  expect(crossed.status).toBeGreaterThanOrEqual(400);
  expect((await first.api.get('/configuration')).body.data).toEqual(before);
});

test('an index that failed is built again', async () => {
  const { api } = await t.createProject();
  const { name, path } = await newCollection(api);
  const first = await newDocument(api, path, { slug: 'a' });
  await newDocument(api, path, { slug: 'a' });
  const body = { collections: { [name]: { indexes: [{ kind: 'unique', fields: ['slug'] }] } } };
  await api.put('/configuration', body);
  const state = async () =>
    (await api.get(`${path}/indexes`)).body.data.map((one: { state: string }) => one.state);
  await expect.poll(state).toEqual(['failed']);
  await api.delete(`${path}/${first.id}`);
  const again = await api.put('/configuration', body);
  expect(wordsOf(again)).toEqual([`Build the unique index of ${name} on slug.`]);
  await expect.poll(state).toEqual(['ready']);
  expect(wordsOf(await api.put('/configuration', body))).toEqual([]);
});

test('names of variables and services are told, and those that are missing are said', async () => {
  const { api } = await t.createProject();
  const pushed = await api.put('/configuration', { env: ['STRIPE_KEY'], services: ['mail'] });
  expect(pushed.body.warnings).toEqual([
    'env: The project has no environment variable STRIPE_KEY. Values are not pushed: set it yourself.',
    'services: The project has no mail. Services are not pushed: set it up yourself.',
  ]);
  const { configuration: now } = (await api.get('/configuration')).body.data;
  expect(now).toMatchObject({ env: [], services: [] });
});
