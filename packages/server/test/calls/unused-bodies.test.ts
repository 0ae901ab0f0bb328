// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveRoutes } from '../support/calls/live-routes.ts';
import { Client } from '../support/client.ts';
import { newPerson } from '../support/people/people.ts';
import { type TestApp, testApp } from '../support/test-app.ts';
import { makeThingsFor, methodOf, pathOf, rowOf } from './route-table.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t[Symbol.asyncDispose]());

/** Documents have any field. */
const takesAnyField = new Set([
  'POST /collections/:collection',
  'PATCH /collections/:collection/:id',
  'PUT /collections/:collection/:id',
]);

const takesJson = (route: string) => {
  const row = rowOf(route)!;
  const isJson = !row.isPage && !row.upload && !/ \/(?:storage\/resumable|files|functions)\b/.test(route);
  return /^(?:POST|PATCH|PUT|DELETE) /.test(route) && isJson && !takesAnyField.has(route);
};

test('no call takes what it has no use for', async () => {
  const routes = liveRoutes(t.app).filter(takesJson);
  expect(routes.length).toBeGreaterThan(40);
  for (const route of routes) {
    const row = rowOf(route)!;
    const things = await makeThingsFor(t, route);
    const client = new Client(`${t.url}/p/${t.projects[0].ref}`, {
      'x-api-key': t.projects[0].apiKey,
      ...(things.person && { authorization: `Bearer ${things.person.token}` }),
    });
    const body = { ...(row.body?.(things) as object | undefined), surplus: 1 };
    const reply = await client.call(methodOf(route), pathOf(route, things), body);
    const { status, body: answer } = reply;
    expect({ route, status, code: answer?.error?.code }).toEqual({
      route,
      status: 400,
      code: 'invalid_body',
    });
  }
});

test('an empty object is no body', async () => {
  const { me } = await newPerson(t);
  expect((await me.post('/auth-collections/logout', {})).status).toBe(200);
});

test('a password is not changed by the way', async () => {
  const { me } = await newPerson(t);
  const reply = await me.patch('/auth-collections/user', { password: 'another horse' });
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatchObject({
    code: 'invalid_body',
    message: expect.stringContaining('POST /auth-collections/change-password') as string,
  });
});

test.each([
  { action: 'update', query: 'status=open' },
  { action: 'create', id: '01900000-0000-8000-8000-000000000000' },
])('explain: %o', async (asked) => {
  await t.api.post('/collections', { name: 'notes' });
  const reply = await t.api.post('/collections/notes/explain', { as: null, ...asked });
  expect(reply.body.error).toMatchObject({ code: 'invalid_body' });
});
