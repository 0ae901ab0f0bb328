// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { setConfig, unsetConfig } from '../../../src/features/control/projects/index.ts';
import { Client, type Reply } from '../../support/client.ts';
import { newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let door: Client;
let api: Client;
let apiKey: string;
beforeAll(async () => {
  const project = await t.createProject();
  ({ api, apiKey } = project);
  door = new Client(`${t.url}/p/${project.ref}`);
  await setConfig(t.control, project.ref, 'ALLOWED_SELF_ROLES', 'user, editor');
});

const signUp = (more: object, client = door): Promise<Reply> =>
  client.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse', ...more });

async function newUser(): Promise<{ id: string; me: Client; both: Client }> {
  const { body } = await signUp({});
  const authorization = `Bearer ${body.access_token}`;
  const both = new Client(t.url, { authorization, 'x-api-key': apiKey });
  return { id: body.user.id, me: new Client(t.url, { authorization }), both };
}

const forbidden = [
  'admin',
  'Admin',
  ' admin',
  'admin ',
  'EDITOR',
  'Editor',
  ' editor',
  'editor ',
  'editor\u200b',
  'ed\u0456tor',
  'user,editor',
  'user, editor',
  ',',
  '*',
  'null',
  'undefined',
  '__proto__',
  'owner',
];

describe('A10: a role that is not listed letter by letter is 403 role_not_allowed', () => {
  test.each(forbidden)('%j', async (role) => {
    const { id, me, both } = await newUser();
    for (const reply of [
      await signUp({ role }),
      await signUp({ role }, api),
      await me.patch('/auth-collections/user', { role }),
      await both.patch('/auth-collections/user', { role, data: { changed: true } }),
    ]) {
      expect(reply).toFailWith(403, 'role_not_allowed');
    }
    expect((await api.get(`/auth-collections/users/${id}`)).body.data).toMatchObject({
      role: 'user',
      data: {},
    });
  });
});

test('A10: a role of another type is 400', async () => {
  const { me } = await newUser();
  for (const role of [['admin'], ['user'], { $append: 'admin' }, 1, true, null, '']) {
    for (const reply of [await signUp({ role }), await me.patch('/auth-collections/user', { role })]) {
      expect(reply).toFailWith(400, 'invalid_body');
    }
  }
});

test('A10: operators and data reach data alone, never the role or the claims', async () => {
  const { id, me } = await newUser();
  for (const data of [
    { role: 'admin', claims: { admin: true } },
    { $append: { role: 'admin' } },
    { $unset: { role: true }, $addUnique: { 'claims.roles': 'admin' } },
    { $increment: { '..': 1 } },
    { $append: { '../role': 'admin' } },
  ]) {
    await me.patch('/auth-collections/user', { data });
  }
  const refused = await me.patch('/auth-collections/user', { $append: { role: 'admin' } });
  expect(refused.status).toBe(400);
  const { data: user } = (await api.get(`/auth-collections/users/${id}`)).body;
  expect(user).toMatchObject({ role: 'user', claims: {} });
});

test('A10: listed roles may be chosen, and no role is the role "user"', async () => {
  for (const role of ['user', 'editor']) {
    expect((await signUp({ role })).body.user.role).toBe(role);
    const { me } = await newUser();
    expect((await me.patch('/auth-collections/user', { role })).body.data.role).toBe(role);
  }
  expect((await signUp({})).body.user.role).toBe('user');
});

test('A10: other roles are given with the API key, and the user cannot give them up and take them back', async () => {
  const { id, me } = await newUser();
  expect((await api.patch(`/auth-collections/users/${id}`, { role: 'admin' })).body.data.role).toBe('admin');
  expect((await me.patch('/auth-collections/user', { role: 'editor' })).status).toBe(200);
  expect((await me.patch('/auth-collections/user', { role: 'admin' })).status).toBe(403);
});

test('A10: with an empty list no role may be chosen; with none set every role may', async () => {
  const project = await t.createProject();
  const client = new Client(`${t.url}/p/${project.ref}`);
  await setConfig(t.control, project.ref, 'ALLOWED_SELF_ROLES', '');
  await expect.poll(async () => (await signUp({ role: 'user' }, client)).status).toBe(403);
  expect((await signUp({}, client)).body.user.role).toBe('user');
  await unsetConfig(t.control, project.ref, 'ALLOWED_SELF_ROLES');
  await expect.poll(async () => (await signUp({ role: 'admin' }, client)).status).toBe(201);
});

test('A10: a role, whatever its name, is no right of the platform', async () => {
  const project = await t.createProject();
  const client = new Client(`${t.url}/p/${project.ref}`);
  for (const role of ['admin', 'owner', 'server', 'root']) {
    const { body } = await signUp({ role }, client);
    const me = new Client(t.url, { authorization: `Bearer ${body.access_token}` });
    expect((await me.get('/auth-collections/users')).status).toBe(403);
    expect((await me.post('/collections', { name: 'mine' })).status).toBe(403);
    expect((await me.patch(`/auth-collections/users/${body.user.id}`, { claims: {} })).status).toBe(403);
  }
});
