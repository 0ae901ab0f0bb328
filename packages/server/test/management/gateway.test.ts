import { closeCodes } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { LiveClient } from '../support/live-client.ts';
import { Dashboard, newManager, newProject, tokenOf } from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('the API of a project is spoken with a session or a token, and every change is written down', async () => {
  const ada = await newManager(t, 'ada@example.com');
  const { ref, apiKey } = await newProject(ada);
  expect((await ada.post(`/p/${ref}/collections`, { name: 'posts' })).status).toBe(201);
  const made = await ada.post(`/p/${ref}/collections/posts`, { title: 'canary-7c1d', views: 1 });
  expect(made.status).toBe(201);
  const program = await tokenOf(t, ada, { access: 'read' });
  expect((await program.get(`/p/${ref}/collections/posts`)).body.data).toHaveLength(1);
  const refused = await program.post(`/p/${ref}/collections/posts`, { title: 'no' });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'token_read_only']);
  // The key works as before, and sees the same.
  const server = new Client(t.url, { 'x-api-key': apiKey });
  expect((await server.get('/collections/posts')).body.total).toBe(1);
  await expect
    .poll(async () => (await ada.get(`/projects/${ref}/audit`)).body.data)
    .toMatchObject([
      {
        action: 'POST /collections/:collection',
        target: '/collections/posts',
        status: 201,
        account: ada.email,
      },
      { action: 'POST /collections', status: 201 },
      { action: 'createProject', target: ref },
    ]);
  const { text } = await ada.get(`/projects/${ref}/audit`);
  expect(text).toContain('"fields":["title","views"]');
  expect(text).not.toMatch(/canary|plk_|plt_/);
});

test('strangers, other origins and plain addresses get nothing by the cookie', async () => {
  const ada = await newManager(t, 'grace@example.com');
  const { ref } = await newProject(ada);
  await ada.post(`/p/${ref}/collections`, { name: 'posts' });
  const stranger = await newManager(t, 'stranger@example.com');
  expect((await stranger.get(`/p/${ref}/collections`)).body.error.code).toBe('project_not_found');
  expect((await new Dashboard(t.url).get(`/p/${ref}/collections`)).body.error.code).toBe('account_required');
  const plain = new Client(t.url, { cookie: ada.cookie, 'x-plinth-dashboard': '1' });
  expect((await plain.get(`/p/${ref}/collections`)).status).toBe(401);
  const elsewhere = await ada.call('GET', `/p/${ref}/collections`, undefined, {
    origin: 'https://evil.example.com',
    'sec-fetch-site': 'cross-site',
  });
  expect(elsewhere.body.error.code).toBe('origin_not_allowed');
  const preflight = await fetch(`${t.url}/management/p/${ref}/collections`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});

test('routes of management, pages and live connections do not go through', async () => {
  const ada = await newManager(t, 'pages@example.com');
  const { ref } = await newProject(ada);
  for (const path of [
    '/management/account',
    '/auth-collections/sign-in',
    '/healthz',
    '/realtime',
    '/nothing',
  ])
    expect((await ada.get(`/p/${ref}${path}`)).body.error?.code, path).toBe('route_not_found');
});

test('X-Plinth-As reads what a user may read, is written down, and changes nothing', async () => {
  const ada = await newManager(t, 'as@example.com');
  const { ref } = await newProject(ada);
  const settings = { ownerField: 'user_id', rules: { read: 'owner' } };
  await ada.post(`/p/${ref}/collections`, { name: 'notes', settings });
  const user = await ada.post(`/p/${ref}/auth-collections/users`, { email: 'u@example.com' });
  const { id } = user.body.data;
  await ada.post(`/p/${ref}/collections/notes`, { text: 'hers', user_id: id });
  await ada.post(`/p/${ref}/collections/notes`, { text: 'nobody’s' });
  const seen = await ada.call('GET', `/p/${ref}/collections/notes`, undefined, { 'x-plinth-as': id });
  expect(seen.body.data.map(({ text }: { text: string }) => text)).toEqual(['hers']);
  const written = await ada.call('POST', `/p/${ref}/collections/notes`, { text: 'x' }, { 'x-plinth-as': id });
  expect(written.status).toBe(400);
  const unknown = await ada.call('GET', `/p/${ref}/collections/notes`, undefined, { 'x-plinth-as': 'x' });
  expect(unknown.body.error.code).toBe('user_not_found');
  const [latest] = (await ada.get(`/projects/${ref}/audit`)).body.data;
  expect(latest).toMatchObject({ action: 'GET /collections/:collection', details: { as: id } });
});

/** A project, its owner, and somebody who works on it too. */
async function team(name: string) {
  const ada = await newManager(t, `owner-${name}@example.com`);
  const { ref } = await newProject(ada);
  const mate = await newManager(t, `mate-${name}@example.com`);
  const invited = await ada.post(`/projects/${ref}/invitations`, { email: mate.email });
  const token = new URL(String(invited.body.data.link)).searchParams.get('token');
  await mate.post('/invitations/accept', { token });
  return { ada, mate, ref };
}

test('a removed teammate is refused at the next call on another node', async () => {
  const { ada, mate, ref } = await team('calls');
  const other = await t.node();
  const there = mate.at(other.url);
  expect((await there.get(`/p/${ref}/collections`)).status).toBe(200);
  await ada.delete(`/projects/${ref}/team/${mate.id}`);
  await other.app.caughtUp();
  expect((await there.get(`/p/${ref}/collections`)).status).toBe(404);
});

test('a live connection of an account ends when it is removed, and not when the API key is replaced', async () => {
  const { ada, mate, ref } = await team('live');
  await ada.post(`/p/${ref}/collections`, { name: 'posts' });
  const connect = async (person: Dashboard) => {
    const { ticket } = (await person.post(`/p/${ref}/realtime/ticket`)).body.data;
    const client = new LiveClient(`${t.url}/realtime?ticket=${ticket}`);
    await client.next('ready');
    await client.subscribe('posts');
    return client;
  };
  await using hers = await connect(ada);
  await using theirs = await connect(mate);
  await ada.post(`/projects/${ref}/api-key`);
  await ada.delete(`/projects/${ref}/team/${mate.id}`);
  expect((await theirs.closed).code).toBe(closeCodes.notSignedIn);
  await ada.post(`/p/${ref}/collections/posts`, { title: 'still there' });
  await hers.next('event', (message) => JSON.stringify(message).includes('still there'));
});
