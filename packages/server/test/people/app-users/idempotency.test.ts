import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { doorOf, newEmail, newPerson, statusOf } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let door: Client;
beforeAll(async () => {
  door = doorOf(t);
});

const once = (key: string) => ({ headers: { 'idempotency-key': key } });
const signUp = (body: object, key: string) => door.post('/auth-collections/signup', body, once(key));
const logIn = (body: object, key: string) => door.post('/auth-collections/login', body, once(key));

/** Everything that is kept of calls with a key. */
async function keptText(): Promise<string> {
  const { rows } = await t.cells
    .pool(t.projects[0].cell)
    .query<{ kept: string }>('SELECT kept::text FROM cell.idempotency_keys AS kept');
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ kept }) => kept).join('\n');
}

async function expectReplayed(first: Reply, again: Reply): Promise<void> {
  expect(again.status).toBe(first.status);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body.data.user).toEqual(first.body.data.user);
  expect(again.body.access_token).not.toBe(first.body.access_token);
  for (const { body } of [first, again]) expect(await statusOf(t, body.access_token)).toBe(200);
}

test('a repeated sign-up makes no second user: the same answer, with a token of its own', async () => {
  const body = { email: newEmail(), password: 'canary password', data: { name: 'Ada' } };
  const key = randomUUID();
  const first = await signUp(body, key);
  expect(first.status).toBe(201);
  await expectReplayed(first, await signUp(body, key));
  expect((await t.api.get(`/auth-collections/users?email=${body.email}`)).body.total).toBe(1);
});

test('a repeated login mints a new token', async () => {
  const { email, password } = await newPerson(t);
  const key = randomUUID();
  const first = await logIn({ email, password }, key);
  await expectReplayed(first, await logIn({ email, password }, key));
});

test('neither a token nor a password is kept with the key', async () => {
  const body = { email: newEmail(), password: 'canary password' };
  const replies = [
    await signUp(body, 'sign-up'),
    await signUp(body, 'sign-up'),
    await logIn(body, 'login'),
    await logIn(body, 'login'),
  ];
  const kept = await keptText();
  for (const { body: answer } of replies) {
    const [head, payload, signature] = answer.access_token.split('.');
    for (const part of [head, payload, signature]) expect(kept).not.toContain(part);
  }
  expect(kept).not.toContain('canary');
  expect(kept).not.toContain(Buffer.from('canary password').toString('hex'));
});

test('another body with the same key is 400 idempotency_mismatch', async () => {
  const body = { email: newEmail(), password: 'correct horse' };
  await signUp(body, 'mismatch');
  const { status, body: refused } = await signUp({ ...body, email: newEmail() }, 'mismatch');
  expect({ status, body: refused }).toFailWith(400, 'idempotency_mismatch');
});

test('a refused call keeps nothing: the same key serves once the call is right', async () => {
  const { email, password } = await newPerson(t);
  const key = randomUUID();
  expect((await logIn({ email, password: 'wrong horse' }, key)).status).toBe(401);
  expect(await signUp({ email, password }, key)).toFailWith(400, 'email_taken');
  expect((await logIn({ email, password }, key)).status).toBe(200);
});

test('20 parallel sign-ups with one key are one user', async () => {
  const body = { email: newEmail(), password: 'correct horse' };
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 20 }, () => signUp(body, key)));
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  expect(new Set(replies.map((reply) => reply.body.user.id)).size).toBe(1);
  expect(new Set(replies.map((reply) => reply.body.access_token)).size).toBe(20);
});

describe('a repeated call opens no door that was closed since', () => {
  test('after the password changed, repeating the login or sign-up with the old one is refused', async () => {
    const body = { email: newEmail(), password: 'the old password' };
    const { access_token: token } = (await signUp(body, 'before-change')).body;
    await logIn(body, 'before-change');
    const changed = await door.post(
      '/auth-collections/change-password',
      { old_password: body.password, new_password: 'the new password' },
      { headers: { authorization: `Bearer ${token}` } },
    );
    expect(changed.status).toBe(200);
    for (const repeat of [signUp, logIn]) {
      const reply = await repeat(body, 'before-change');
      expect(reply).toFailWith(401, 'invalid_login');
    }
  });

  test('a suspended user gets no token, and one that was lifted from suspension only by a new login', async () => {
    const person = await newPerson(t);
    const { email, password, id } = person;
    const key = randomUUID();
    await logIn({ email, password }, key);
    await t.api.patch(`/auth-collections/users/${id}`, { suspended: true });
    const reply = await logIn({ email, password }, key);
    expect(reply).toFailWith(403, 'user_suspended');
  });

  test('a deleted user gets no token', async () => {
    const { email, password, id } = await newPerson(t);
    const key = randomUUID();
    await logIn({ email, password }, key);
    await t.api.delete(`/auth-collections/users/${id}`);
    const reply = await logIn({ email, password }, key);
    expect(reply.status).toBe(401);
    expect(reply.body).not.toHaveProperty('access_token');
  });
});

test('a repeated refresh belongs to the same sign-in: one logout ends all of its tokens', async () => {
  const { me } = await newPerson(t);
  const tokens: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { status, body } = await me.post('/auth-collections/refresh', undefined, once('again'));
    expect(status).toBe(200);
    tokens.push(body.access_token);
  }
  await me.post('/auth-collections/logout');
  for (const token of tokens) expect(await statusOf(t, token)).toBe(401);
});
