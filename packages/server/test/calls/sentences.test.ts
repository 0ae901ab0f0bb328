// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { newPerson, type Person } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let ada: Person;
beforeAll(async () => {
  ada = await newPerson(t);
  await t.api.post('/collections', { name: 'notes' });
});

test.each([
  ['a token without Bearer', () => ({ authorization: ada.token }), 'Authorization: Bearer <access_token>'],
  ['a token as API key', () => ({ 'x-api-key': ada.token }), 'X-API-Key contains a user token'],
  [
    'two keys',
    () => ({ 'x-api-key': t.projects[0].apiKey, authorization: `Bearer ${t.projects[1].apiKey}` }),
    'two different API keys',
  ],
])('%s', async (_, headers, said) => {
  const { status, body } = await new Client(t.url, headers()).get('/collections');
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'invalid_credentials' });
  expect(body.error.message).toContain(said);
});

test('a made-up project', async () => {
  const { status, body } = await new Client(`${t.url}/p/abcdefghijkl`).get('/collections/notes');
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'project_unknown' });
  expect(body.error.message).toContain('There is no project "abcdefghijkl"');
});

test('a method that the path does not have', async () => {
  const known = await t.api.put('/collections/notes', {});
  expect(known.status).toBe(404);
  expect(known.body.error.message).toMatch(/^There is no PUT \/collections\/notes, only (?:\w+, )+\w+\./);
  expect(known.body.error.message).toContain('PATCH');
  const unknown = await t.api.put('/nothing', {});
  expect(unknown.body.error.message).toBe('There is no PUT /nothing. The reference is at /docs.');
});

test('If-Match without quotes', async () => {
  const { id } = (await t.api.post('/collections/notes', { a: 1 })).body.data;
  const change = (tag: string) =>
    t.api.patch(`/collections/notes/${id}`, { a: 2 }, { headers: { 'if-match': tag } });
  for (const [tag, said] of [
    ['1', 'quoted versions, as in ETag: If-Match: "1"'],
    ['W/"1"', 'has changed since you read it'],
  ] as const)
    expect((await change(tag)).body.error).toMatchObject({
      code: 'version_mismatch',
      message: expect.stringContaining(said) as string,
    });
  expect((await change('"1"')).status).toBe(200);
});

test('a body that does not fit', async () => {
  const reply = await t.api.post('/auth-collections/signup', { emial: 'a@b.example', password: 'x' });
  expect(reply.body.error).toMatchObject({ code: 'invalid_body', details: { path: 'body' } });
  expect(reply.body.error.message).not.toMatch(/must NOT|additional|instance/);
});

test.each([
  ['batch', { documents: [{}, 5] }],
  ['batch', { documents: [{}, { a: '\u0000' }] }],
  ['batch', { documents: [{}, { $set: 1 }] }],
  ['batch-update', { updates: [{ id: 'x' }, { a: 1 }] }],
  ['batch-delete', { ids: ['x', 5] }],
])('%s %j names the index', async (path, body) => {
  const { status, body: answer } = await t.api.post(`/collections/notes/${path}`, body);
  expect({ status, index: answer.error.details.index }).toEqual({
    status: 400,
    index: path === 'batch-update' ? answer.error.details.index : 1,
  });
  expect(answer.error.details.index).toEqual(expect.any(Number));
});

test.each(['9007199254740993e0', '9.007199254740993e15', '1e16', '-1e20', '9007199254740993'])(
  'the integer %s',
  async (number) => {
    const raw = `{"documents":[{},{"a":{"n":${number}}}]}`;
    const { body } = await t.api.post('/collections/notes/batch', undefined, { raw });
    expect(body.error).toMatchObject({
      code: 'invalid_json_value',
      details: { path: 'documents.1.a.n', index: 1 },
    });
  },
);

test.each(['password', 'Password123', '12345678'])('the password %s', async (password) => {
  const refused = await t.api.post('/auth-collections/signup', { email: 'eve@example.com', password });
  expect(refused.body.error.code).toBe('weak_password');
  const change = { old_password: ada.password, new_password: password };
  expect((await ada.me.post('/auth-collections/change-password', change)).body.error.code).toBe(
    'weak_password',
  );
  const given = await t.api.patch(`/auth-collections/users/${ada.id}`, { password });
  expect(given.body.error.code).toBe('weak_password');
});
