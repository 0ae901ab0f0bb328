// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { liveRoutes } from '../../support/calls/live-routes.ts';
import { Client, type Reply } from '../../support/client.ts';
import { upload } from '../../support/files/forms.ts';
import { type Manager, newManager, newProject } from '../../support/management/dashboard.ts';
import { useTestApp } from '../../support/test-app.ts';
import { makeThings, methodOf, pathOf, rowOf, type Things } from '../route-table.ts';

const t = useTestApp();
let ada: Manager;
let ref: string;
let server: Client;
let anonymous: Client;
beforeAll(async () => {
  ada = await newManager(t, 'nobody@example.com');
  const project = await newProject(ada);
  ({ ref } = project);
  server = new Client(t.url, { 'x-api-key': project.apiKey });
  anonymous = new Client(`${t.url}/p/${ref}`);
});

const asNobody = (method: string, path: string, body?: unknown) =>
  ada.call(method, `/p/${ref}${path}`, body, { 'x-plinth-as': 'nobody' });
const refusal = ({ status, body }: Reply) => [status, body.error?.code];

test('X-Plinth-As: nobody reads what somebody without a sign-in reads, and is written down', async () => {
  const settings = {
    rules: { read: '[or]status=published&[or]author_id=@user.id' },
    hiddenFields: ['notes'],
  };
  await server.post('/collections', { name: 'posts', settings });
  await server.post('/collections/posts', { title: 'News', status: 'published', notes: 'canary' });
  const draft = await server.post('/collections/posts', { title: 'Draft', status: 'draft' });
  const list = '/collections/posts';
  const [seen, theirs] = [await asNobody('GET', list), await anonymous.get(list)];
  expect(seen.body).toEqual(theirs.body);
  expect(seen.body).toMatchObject({ data: [{ title: 'News' }], total: 1 });
  expect(seen.text).not.toMatch(/canary|hiddenFields/);
  // It came by the session of an account: no cache on the way may give it to others.
  expect(seen.headers.get('cache-control')).toBe('private, no-cache');
  for (const path of [`/collections/posts/${draft.body.data.id}`, '/collections/unknown', '/storage/list'])
    expect(refusal(await asNobody('GET', path)), path).toEqual(refusal(await anonymous.get(path)));
  const { data } = (await ada.get(`/projects/${ref}/audit`)).body;
  expect(data[0]).toMatchObject({ target: '/collections/unknown', details: { as: 'nobody' } });
});

test('as nobody, no route answers what it would not answer to somebody without a sign-in', async () => {
  const { body } = await upload(server, 'kept.txt', 'untouched');
  const { data: person } = (await server.post('/auth-collections/users', { email: 'u@example.com' })).body;
  const things: Things = { ...(await makeThings(server)), person, file: body.data };
  const given: string[] = [];
  for (const route of liveRoutes(t.app)) {
    const { access, isPage, body } = rowOf(route)!;
    if (access === 'open' || isPage) continue;
    const call = [methodOf(route), pathOf(route, things), body?.(things)] as const;
    const reply = await asNobody(...call);
    expect(reply.status, route).toBeLessThan(500);
    if (reply.status >= 400) continue;
    const theirs = await anonymous.call(...call);
    expect({ route, status: reply.status, data: reply.body?.data }).toEqual({
      route,
      status: theirs.status,
      data: theirs.body?.data,
    });
    given.push(route);
  }
  expect(given).toEqual(['GET /auth-collections/users/:id', 'HEAD /auth-collections/users/:id']);
  expect((await server.get(`/collections/${things.collection}/${things.id}`)).headers.get('etag')).toBe(
    '"1"',
  );
});

test('nobody is one word: what is like it is a user that is not there, and only a teammate may say it', async () => {
  for (const as of ['Nobody', 'nobody, nobody', '', 'null', 'nobody;', person('0')])
    expect(
      refusal(await ada.call('GET', `/p/${ref}/collections`, undefined, { 'x-plinth-as': as })),
      as,
    ).toEqual([404, 'user_not_found']);
  const stranger = await newManager(t, 'no-teammate@example.com');
  const headers = { 'x-plinth-as': 'nobody' };
  const theirs = await stranger.call('GET', `/p/${ref}/collections/posts`, undefined, headers);
  expect(refusal(theirs)).toEqual([404, 'project_not_found']);
  // Elsewhere the header means nothing: whoever leaves the key out is nobody.
  expect((await server.get('/collections', { headers })).status).toBe(200);
});

const person = (digit: string) => `${digit.repeat(8)}-0000-8000-8000-${digit.repeat(12)}`;
