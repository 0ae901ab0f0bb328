import { beforeAll, describe, expect, test } from 'vitest';
import { setResponseFormat } from '../../../src/features/control/projects/index.ts';
import { Client, type Reply } from '../../support/client.ts';
import { bearing, doorOf, newEmail, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let door: Client;
beforeAll(async () => {
  door = doorOf(t);
});

const signUp = (body: object, client = door): Promise<Reply> => client.post('/auth-collections/signup', body);
const logIn = (body: object, client = door): Promise<Reply> => client.post('/auth-collections/login', body);
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('sign-up answers 201 with a token and the whole user, which the token then finds', async () => {
  const email = newEmail();
  const data = { name: 'Ada', private: { plan: 'gold' }, following_ids: [], referral_code: null };
  const { status, body } = await signUp({ email, password: 'correct horse', data });
  expect(status).toBe(201);
  expect(Object.keys(body.data)).toEqual([
    'access_token',
    'token_type',
    'expires_at',
    'refresh_token',
    'user',
  ]);
  expect(body.data).toMatchObject({ token_type: 'bearer', expires_at: expect.stringMatching(instant) });
  expect(body.data.user).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
    email,
    role: 'user',
    email_verified: false,
    data,
    claims: {},
    createdAt: expect.stringMatching(instant),
    updatedAt: body.data.user.createdAt,
  });
  const me = await bearing(t, body.data.access_token).get('/auth-collections/user');
  expect(me.body.data).toEqual(body.data.user);
});

test('a role is a field of the sign-up; any is free while none are listed', async () => {
  const { body } = await signUp({ email: newEmail(), password: 'correct horse', role: 'editor' });
  expect(body.data.user.role).toBe('editor');
});

test('login finds the user whatever the case and the space around the e-mail', async () => {
  const { id, email } = await newPerson(t, { email: `Mixed.${newEmail()}` });
  for (const spelled of [email, email.toUpperCase(), email.toLowerCase(), `  ${email} `]) {
    const { status, body } = await logIn({ email: spelled, password: 'correct horse' });
    expect(status).toBe(200);
    expect(body.data.user).toMatchObject({ id, email });
    expect(body.data.token_type).toBe('bearer');
  }
});

test('every token of a user is different, and each is valid', async () => {
  const { id, email, token } = await newPerson(t);
  const logins = await Promise.all([1, 2].map(() => logIn({ email, password: 'correct horse' })));
  const tokens = [token, ...logins.map(({ body }) => body.access_token as string)];
  expect(new Set(tokens).size).toBe(3);
  for (const each of tokens) {
    expect((await bearing(t, each).get('/auth-collections/user')).body.data.id).toBe(id);
  }
});

describe('both readings of the interface work', () => {
  test('in the envelope token and user are beside data as well', async () => {
    const email = newEmail();
    for (const reply of [
      await signUp({ email, password: 'correct horse' }),
      await logIn({ email, password: 'correct horse' }),
    ]) {
      expect(Object.keys(reply.body).toSorted()).toEqual([
        'access_token',
        'data',
        'refresh_token',
        'success',
        'user',
      ]);
      expect(reply.body.access_token).toBe(reply.body.data.access_token);
      expect(reply.body.user).toEqual(reply.body.data.user);
    }
  });

  test('bare, by header or by the project’s setting, the body is data alone', async () => {
    const project = await t.createProject();
    const client = new Client(`${t.url}/p/${project.ref}`);
    const bare = { headers: { 'X-Response-Format': 'bare' } };
    const body = { email: newEmail(), password: 'correct horse' };
    const signedUp = await client.post('/auth-collections/signup', body, bare);
    expect(signedUp.status).toBe(201);
    await setResponseFormat(t.control, project.ref, 'bare');
    await expect.poll(async () => (await logIn(body, client)).body.success).toBeUndefined();
    const loggedIn = await logIn(body, client);
    for (const { body: answer } of [signedUp, loggedIn]) {
      expect(Object.keys(answer)).toEqual([
        'access_token',
        'token_type',
        'expires_at',
        'refresh_token',
        'user',
      ]);
      expect(answer.user.email).toBe(body.email);
    }
    const enveloped = await client.post('/auth-collections/login', body, {
      headers: { 'X-Response-Format': 'envelope' },
    });
    expect(enveloped.body).toMatchObject({ success: true, data: { user: { email: body.email } } });
  });
});

test('a taken e-mail is 400 email_taken, in any case; in another project it is free', async () => {
  const { email } = await newPerson(t);
  for (const taken of [email, email.toUpperCase(), ` ${email}`]) {
    const { status, body } = await signUp({ email: taken, password: 'correct horse' });
    expect({ status, body }).toFailWith(400, 'email_taken');
  }
  expect((await signUp({ email, password: 'correct horse' }, doorOf(t, 1))).status).toBe(201);
  expect((await logIn({ email, password: 'correct horse' }, doorOf(t, 1))).status).toBe(200);
});

describe('what cannot be an account is 400 invalid_body', () => {
  const bodies: Record<string, object> = {
    'no e-mail': { password: 'correct horse' },
    'no password': { email: 'a@example.com' },
    'an e-mail without @': { email: 'example.com', password: 'correct horse' },
    'an e-mail with two @': { email: 'a@b@example.com', password: 'correct horse' },
    'an e-mail with a space': { email: 'a b@example.com', password: 'correct horse' },
    'an e-mail of 255 characters': { email: `${'a'.repeat(243)}@example.com`, password: 'correct horse' },
    'an e-mail that is no string': { email: ['a@example.com'], password: 'correct horse' },
    'a password of 7 characters': { email: 'a@example.com', password: '1234567' },
    'a password of 257 characters': { email: 'a@example.com', password: 'x'.repeat(257) },
    'a password that is a number': { email: 'a@example.com', password: 12_345_678 },
    'data that is an array': { email: 'a@example.com', password: 'correct horse', data: [] },
    'data that is null': { email: 'a@example.com', password: 'correct horse', data: null },
    'an empty role': { email: 'a@example.com', password: 'correct horse', role: '' },
    'a role of 65 characters': { email: 'a@example.com', password: 'correct horse', role: 'r'.repeat(65) },
    'a field there is not': { email: 'a@example.com', password: 'correct horse', admin: true },
  };

  test.each(Object.entries(bodies))('%s', async (_name, body) => {
    const reply = await signUp(body);
    expect(reply).toFailWith(400, 'invalid_body');
  });
});

test('passwords of 8 and of 256 characters are taken, in any script', async () => {
  for (const password of ['8 horses', 'x'.repeat(256), '密'.repeat(8), '🙂'.repeat(256)]) {
    const { email } = await newPerson(t, { password });
    expect((await logIn({ email, password })).status).toBe(200);
  }
});

test('operators have nothing to work on at sign-up: 400 invalid_operator, and no account', async () => {
  const email = newEmail();
  for (const data of [{ $append: { tags: 'a' } }, { $increment: { n: 1 } }, { $set: { a: 1 } }]) {
    const { status, body } = await signUp({ email, password: 'correct horse', data });
    expect({ status, body }).toFailWith(400, 'invalid_operator');
  }
  expect((await t.api.get(`/auth-collections/users?email=${email}`)).body.total).toBe(0);
});

test('without a project named by address or credential there is nobody to sign up with', async () => {
  for (const path of ['signup', 'login']) {
    const reply = await t.anonymous.post(`/auth-collections/${path}`, {
      email: newEmail(),
      password: 'correct horse',
    });
    expect(reply).toFailWith(401, 'project_unknown');
  }
});

test('the API key names the project too, and does not change what sign-up and login do', async () => {
  const email = newEmail();
  const body = { email, password: 'correct horse' };
  expect((await signUp(body, t.api)).body.data.user).toMatchObject({ email, email_verified: false });
  expect((await logIn(body, t.api)).status).toBe(200);
  expect((await logIn({ ...body, password: 'wrong horse' }, t.api)).status).toBe(401);
});
