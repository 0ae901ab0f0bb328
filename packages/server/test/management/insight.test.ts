import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { LiveClient } from '../support/live-client.ts';
import { newManager, newProject } from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('further keys are made, narrowed and revoked by the owner', async () => {
  const ada = await newManager(t, 'ada@example.com');
  const { ref } = await newProject(ada);
  await ada.post(`/p/${ref}/collections`, { name: 'posts' });
  const made = await ada.post(`/projects/${ref}/keys`, { name: 'reports', scopes: ['documents:read'] });
  expect(made.status).toBe(201);
  const { id, apiKey } = made.body.data;
  const server = new Client(`${t.url}/p/${ref}`, { 'x-api-key': apiKey });
  expect((await server.get('/collections/posts')).status).toBe(200);
  expect((await server.post('/collections/posts', {})).body.error.code).toBe('scope_missing');
  const changed = await ada.patch(`/projects/${ref}/keys/${id}`, {
    scopes: ['documents:write'],
    expires_in_days: 7,
  });
  expect(changed.body.data).toMatchObject({ scopes: ['documents:write'], name: 'reports' });
  expect((await server.get('/collections/posts')).body.error.code).toBe('scope_missing');
  const listed = await ada.get(`/projects/${ref}/keys`);
  expect(listed.text).not.toContain(apiKey);
  expect((await ada.delete(`/projects/${ref}/keys/${id}`)).status).toBe(200);
  expect((await server.get('/collections/posts')).status).toBe(401);
  const unknown = await ada.post(`/projects/${ref}/keys`, { name: 'x', scopes: ['document:read'] });
  expect(unknown.status).toBe(400);
});

test('calls and usage of a project are read by those who work on it', async () => {
  const ada = await newManager(t, 'grace@example.com');
  const { ref, apiKey } = await newProject(ada);
  const server = new Client(t.url, { 'x-api-key': apiKey });
  await server.post('/collections', { name: 'posts' });
  await server.get('/collections/nothing');
  await expect
    .poll(async () => (await ada.get(`/projects/${ref}/requests?status__gte=400`)).body.data)
    .toMatchObject([{ status: 404, route: 'GET /collections/:collection', code: 'collection_not_found' }]);
  expect((await ada.get(`/projects/${ref}/requests?credential=user`)).body.data).toEqual([]);
  const counted = async (filter: string) =>
    (await ada.get(`/projects/${ref}/requests?${filter}`)).body.data.length;
  expect(await counted('ms__gte=60000')).toBe(0);
  expect(await counted('credential__ne=apiKey')).toBe(0);
  expect(await counted('credential__ne=account&ms__gte=0')).toBe(2);
  expect((await ada.get(`/projects/${ref}/requests?ms__gte=fast`)).body.error.code).toBe('invalid_query');
  expect((await ada.get(`/projects/${ref}/requests?statuss=1`)).body.error.code).toBe('invalid_query');
  const [{ id }] = (await ada.get(`/projects/${ref}/requests?status__gte=400`)).body.data;
  expect((await ada.get(`/projects/${ref}/requests/${id}`)).body.data).toMatchObject({ id, status: 404 });
  expect(await ada.get(`/projects/${ref}/requests/unknown`)).toFailWith(404, 'request_not_found');
  expect((await ada.get(`/projects/${ref}/usage?step=day`)).body).toMatchObject({
    success: true,
    limits: { callsPerMinute: expect.any(Number), storageBytes: null, documents: null },
  });
  expect((await ada.get(`/projects/${ref}/usage/days?from=2000-01-01`)).body.error.code).toBe(
    'invalid_query',
  );
  expect((await ada.get(`/projects/${ref}/usage?step=year`)).body.error.code).toBe('invalid_query');
});

test('advice names what is open, until it is closed', async () => {
  const ada = await newManager(t, 'advice@example.com');
  const { ref } = await newProject(ada);
  const codes = async () =>
    (await ada.get(`/projects/${ref}/advice`)).body.data.map(
      ({ code, target }: { code: string; target: string }) => `${code} ${target}`,
    );
  expect(await codes()).toEqual([`roles_open ${ref}`, `owner_without_second_factor ${ref}`]);
  await ada.post(`/p/${ref}/collections`, { name: 'people', settings: { rules: { read: 'public' } } });
  await ada.post(`/p/${ref}/collections/people`, { name: 'Eve', email: 'eve@example.com' });
  await ada.post(`/p/${ref}/collections`, { name: 'shut' });
  const rules = { read: '@user.data.isBoss=true', update: '@user.role=admin' };
  await ada.post(`/p/${ref}/collections`, { name: 'trusting', settings: { rules } });
  expect(await codes()).toEqual(
    expect.arrayContaining([
      'personal_fields_public people',
      'nobody_reads shut',
      'rule_trusts_own_data trusting',
      'rule_trusts_open_role trusting',
    ]),
  );
  await ada.patch(`/p/${ref}/collections/people`, { settings: { hiddenFields: ['email'] } });
  await ada.patch(`/projects/${ref}/configs`, { ALLOWED_SELF_ROLES: '' });
  const left = await codes();
  expect(left).not.toContain('personal_fields_public people');
  expect(
    left.some((line: string) => line.startsWith('roles_open') || line.startsWith('rule_trusts_open')),
  ).toBe(false);
});

test('advice counts messages that could not be sent', async () => {
  const ada = await newManager(t, 'unsent@example.com');
  const { ref } = await newProject(ada);
  const { rows } = await t.cells
    .pool(1)
    .query<{ id: string; cell: number }>('SELECT id, cell FROM control.projects WHERE ref = $1', [ref]);
  const insert = (status: string, attempts: number, age: string) =>
    t.cells.pool(rows[0]!.cell).query(
      `INSERT INTO cell.messages (project_id, id, kind, template, receiver, status, attempts, created_at)
       VALUES ($1, gen_random_uuid(), 'mail', 'welcome', 'x@example.com', $2, $3, now() - $4::interval)`,
      [rows[0]!.id, status, attempts, age],
    );
  const advice = async () =>
    (await ada.get(`/projects/${ref}/advice`)).body.data.find(
      ({ code }: { code: string }) => code === 'messages_not_sent',
    );
  await insert('sent', 5, '1 hour');
  await insert('waiting', 1, '1 hour');
  await insert('failed', 14, '2 days');
  expect(await advice()).toBeUndefined();
  await insert('failed', 1, '1 hour');
  await insert('waiting', 4, '1 hour');
  expect(await advice()).toMatchObject({ severity: 'warning', target: ref });
  expect((await advice()).message).toMatch(/^2 messages of the last day could not be sent\./);
});

test('a live connection of the dashboard is logged as the member’s', async () => {
  const ada = await newManager(t, 'live@example.com');
  const { ref } = await newProject(ada);
  const { ticket } = (await ada.post(`/p/${ref}/realtime/ticket`)).body.data;
  {
    await using live = new LiveClient(`${t.url}/p/${ref}/realtime?ticket=${ticket}`);
    await live.next('ready');
  }
  const connections = async () =>
    (await ada.get(`/projects/${ref}/requests?route=GET%20/realtime`)).body.data;
  await expect.poll(connections).toMatchObject([{ status: 101, credential: 'account', accountId: ada.id }]);
});

test('who watches calls sees those that pass the filter', async () => {
  const ada = await newManager(t, 'narrow@example.com');
  const { ref, apiKey } = await newProject(ada);
  const server = new Client(t.url, { 'x-api-key': apiKey });
  const path = `${t.url}/management/projects/${ref}/requests/stream`;
  const headers = { cookie: ada.cookie, 'x-plinth-dashboard': '1' };
  expect((await fetch(`${path}?from=now`, { headers })).status).toBe(400);
  expect((await fetch(`${path}?credential=x`, { headers })).status).toBe(400);
  const going = new AbortController();
  const watched = `${path}?credential__ne=account&status__gte=400&code=collection_not_found`;
  const response = await fetch(watched, { headers, signal: going.signal });
  await ada.get(`/p/${ref}/collections/by-the-dashboard`);
  await server.get('/collections');
  await server.get('/nowhere');
  await server.get('/collections/by-the-server');
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('by-the-server')) break;
  }
  expect(text.match(/event: request/g)).toHaveLength(1);
  going.abort();
});

test('calls are watched as they come, by those who work on the project', async () => {
  const ada = await newManager(t, 'watcher@example.com');
  const { ref, apiKey } = await newProject(ada);
  const stranger = await newManager(t, 'stranger@example.com');
  expect((await stranger.get(`/projects/${ref}/requests/stream`)).status).toBe(404);
  const going = new AbortController();
  const response = await fetch(`${t.url}/management/projects/${ref}/requests/stream`, {
    headers: { cookie: ada.cookie, 'x-plinth-dashboard': '1' },
    signal: going.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  const server = new Client(t.url, { 'x-api-key': apiKey });
  const { headers } = await server.get('/collections/nothing');
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (/event: request\ndata: .*\n\n/.test(text)) break;
  }
  const [, json = ''] = /event: request\ndata: (.*)\n\n/.exec(text) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    id: headers.get('x-request-id'),
    route: 'GET /collections/:collection',
    status: 404,
    credential: 'apiKey',
  });
  going.abort();
});
