// @postgres newest
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ClientMessage } from '@plinth/protocol';
import { beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { LiveClient } from '../../support/live-client.ts';
import { doorOf, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import { Description } from './description.ts';

const run = promisify(execFile);
const t = useTestApp();
let description: Description;
beforeAll(async () => {
  description = await Description.read(t.anonymous);
});

/** The example of a JSON body. */
// oxlint-disable-next-line typescript/no-explicit-any
function exampleOf(route: string): any {
  return description.find(route)!.requestBody!.content['application/json']!.example;
}

const expectStatus = (reply: Reply, status: number) => {
  expect(reply.status, reply.text).toBe(status);
  return reply;
};

test('the first calls of the introduction', async () => {
  const { ref, apiKey } = await t.createProject();
  const { info } = description.document;
  const [, script = ''] = /```sh\n(.*?)```/s.exec(info.description) ?? [];
  const env = { ...process.env, BASE: `${t.url}/p/${ref}`, KEY: apiKey };
  const { stdout } = await run('sh', ['-c', script.replaceAll('curl ', 'curl -sw "\\n" ')], { env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { success: true, data: { name: 'posts' } },
    { success: true, data: { title: 'Hello' } },
    { success: true, data: [{ title: 'Hello' }] },
  ]);
});

test('collections and indexes', async () => {
  const { name, ...rest } = exampleOf('POST /collections');
  const { data } = expectStatus(await t.api.post('/collections', { name, ...rest }), 201).body;
  expect(data.settings).toMatchObject(rest.settings);
  expectStatus(await t.api.patch(`/collections/${name}`, exampleOf('PATCH /collections/:collection')), 200);
  const path = `/collections/${name}`;
  const explained = exampleOf('POST /collections/:collection/explain');
  expectStatus(await t.api.post(`${path}/explain`, explained), 200);
  expectStatus(await t.api.post(`${path}/indexes`, exampleOf('POST /collections/:collection/indexes')), 201);
});

test('documents, one by one and in batches', async () => {
  const { path } = await newCollection(t.api);
  const made = await t.api.post(path, exampleOf('POST /collections/:collection'));
  const { id } = expectStatus(made, 201).body.data;
  const patched = await t.api.patch(`${path}/${id}`, exampleOf('PATCH /collections/:collection/:id'));
  expect(expectStatus(patched, 200).body.data).toMatchObject({ views: 1, tags: ['news', 'featured'] });
  expectStatus(await t.api.put(`${path}/${id}`, exampleOf('PUT /collections/:collection/:id')), 200);
  expectStatus(await t.api.post(`${path}/batch`, exampleOf('POST /collections/:collection/batch')), 201);
  const { updates } = exampleOf('POST /collections/:collection/batch-update');
  const mine = updates.map((update: object) => ({ ...update, id }));
  expectStatus(await t.api.post(`${path}/batch-update`, { updates: mine }), 200);
  const ids = exampleOf('POST /collections/:collection/batch-delete');
  expectStatus(await t.api.post(`${path}/batch-delete`, ids), 200);
});

test('people', async () => {
  const door = doorOf(t);
  const signUp = exampleOf('POST /auth-collections/signup');
  const { access_token: token } = expectStatus(await door.post('/auth-collections/signup', signUp), 201).body;
  expectStatus(await door.post('/auth-collections/login', exampleOf('POST /auth-collections/login')), 200);
  const me = { headers: { authorization: `Bearer ${token}` } };
  const change = exampleOf('PATCH /auth-collections/user');
  const { id } = expectStatus(await door.patch('/auth-collections/user', change, me), 200).body.data;
  const granted = await t.api.patch(
    `/auth-collections/users/${id}`,
    exampleOf('PATCH /auth-collections/users/:id'),
  );
  expectStatus(granted, 200);
  const password = exampleOf('POST /auth-collections/change-password');
  expectStatus(await door.post('/auth-collections/change-password', password, me), 200);
  const person = await newPerson(t);
  const body = exampleOf('DELETE /auth-collections/user');
  expectStatus(await person.me.call('DELETE', '/auth-collections/user', body), 200);
});

test('files and mails', async () => {
  const direct = exampleOf('POST /storage/direct-uploads');
  expectStatus(await t.api.post('/storage/direct-uploads', direct), 201);
  const url = '/auth-collections/templates/:name/:language';
  const path = '/auth-collections/templates/welcome/en';
  expectStatus(await t.api.put(path, exampleOf(`PUT ${url}`)), 200);
  expectStatus(await t.api.post(`${path}/preview`, exampleOf(`POST ${url}/preview`)), 200);
});

test('the messages of a realtime connection are understood, and what comes back is described', async () => {
  const { api, apiKey } = t.projects[1];
  await api.post('/collections', { name: 'posts' });
  const { description: told, responses } = description.find('GET /realtime')!;
  const examples = [...told.matchAll(/^\| `(\{.*\})` \|/gm)].map(([, text]) => JSON.parse(text!));
  const send = (live: LiveClient, type: ClientMessage['type']) =>
    live.send(examples.find((message) => message.type === type));
  await using live = await LiveClient.open(t.url, { 'x-api-key': apiKey });
  send(live, 'subscribe');
  const came: unknown[] = [await live.next('subscribed'), await live.next('snapshot')];
  await newDocument(api, '/collections/posts', { status: 'published' });
  came.push(await live.next('event'));
  send(live, 'join');
  came.push(await live.next('joined'));
  for (const type of ['presence', 'broadcast', 'leave', 'unsubscribe', 'ping'] as const) send(live, type);
  came.push(await live.next('message'), await live.next('pong'), ...live.messages);
  live.send({ type: 'dance' });
  came.push(await live.next('error', ({ code }) => code === 'invalid_message'));
  const { schema } = responses[101]!.content!['application/json']!;
  expect(came.flatMap((message) => description.misfits(schema, message))).toEqual([]);
  expect(live.messages.filter(({ type }) => type === 'error')).toEqual([]);
});
