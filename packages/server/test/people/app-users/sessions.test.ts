import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/db/sql.ts';
import { bearing, doorOf, logIn, newPerson, statusOf } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const changePassword = (token: string, old: string, next: string) =>
  bearing(t, token).post('/auth-collections/change-password', { old_password: old, new_password: next });

describe('change-password', () => {
  test('answers with a fresh token; every earlier one is 401 from then on', async () => {
    const person = await newPerson(t);
    const second = await logIn(t, person);
    const { status, body } = await changePassword(second, person.password, 'a new password');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ token_type: 'bearer', user: { id: person.id, email: person.email } });
    expect(body.access_token).toBe(body.data.access_token);
    expect(await statusOf(t, body.access_token)).toBe(200);
    for (const token of [person.token, second]) {
      const refused = await bearing(t, token).get('/auth-collections/user');
      expect(refused).toFailWith(401, 'invalid_credentials');
    }
  });

  test('from then on only the new password logs in', async () => {
    const person = await newPerson(t);
    await changePassword(person.token, person.password, 'a new password');
    const login = (password: string) =>
      doorOf(t).post('/auth-collections/login', { email: person.email, password });
    expect((await login(person.password)).status).toBe(401);
    expect((await login('a new password')).status).toBe(200);
  });

  test('with a wrong old password is 400 wrong_password, and every token stays good', async () => {
    const person = await newPerson(t);
    for (const old of ['wrong horse', '', ` ${person.password}`]) {
      const { status, body } = await changePassword(person.token, old, 'a new password');
      expect({ status, body }).toFailWith(400, 'wrong_password');
    }
    expect(await statusOf(t, person.token)).toBe(200);
    expect(await logIn(t, person)).toBeTypeOf('string');
  });

  test('to a password that is too short or too long is 400 invalid_body', async () => {
    const person = await newPerson(t);
    for (const next of ['1234567', 'x'.repeat(257)]) {
      const { status, body } = await changePassword(person.token, person.password, next);
      expect({ status, body }).toFailWith(400, 'invalid_body');
    }
  });
});

describe('refresh', () => {
  test('trades a valid token for one that lasts longer; both belong to the same sign-in', async () => {
    const person = await newPerson(t);
    const { status, body } = await person.me.post('/auth-collections/refresh');
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id: person.id });
    expect(await statusOf(t, body.access_token)).toBe(200);
    expect(decodeJwt(body.access_token).exp).toBeGreaterThanOrEqual(decodeJwt(person.token).exp!);
    await bearing(t, body.access_token).post('/auth-collections/logout');
    expect(await statusOf(t, person.token)).toBe(401);
  });

  test('carries the e-mail and role of now', async () => {
    const person = await newPerson(t);
    await t.api.patch(`/auth-collections/users/${person.id}`, {
      role: 'admin',
      email: `new.${person.email}`,
    });
    const { body } = await person.me.post('/auth-collections/refresh');
    expect(decodeJwt(body.access_token)).toMatchObject({ role: 'admin', email: `new.${person.email}` });
  });

  test('of a token that has ended is 401', async () => {
    const person = await newPerson(t);
    await person.me.post('/auth-collections/logout');
    expect((await person.me.post('/auth-collections/refresh')).status).toBe(401);
  });
});

test('logout ends this sign-in and no other', async () => {
  const person = await newPerson(t);
  const other = await logIn(t, person);
  const { status, body } = await person.me.post('/auth-collections/logout');
  expect([status, body.data]).toEqual([200, { ended: true }]);
  expect(await statusOf(t, person.token)).toBe(401);
  expect(await statusOf(t, other)).toBe(200);
  expect((await person.me.post('/auth-collections/logout')).status).toBe(401);
});

test('a sign-in whose time is over is 401, also while its token has time left', async () => {
  const person = await newPerson(t);
  expect(await statusOf(t, person.token)).toBe(200);
  await t.cells
    .pool(t.projects[0].cell)
    .query(sql`UPDATE cell.sessions SET expires_at = now() WHERE user_id = ${person.id}`);
  expect(await statusOf(t, person.token)).toBe(401);
});

test('the token says who, for which project and until when, and nothing secret', async () => {
  const { id, email, token, password } = await newPerson(t);
  const content = decodeJwt(token);
  expect(content).toEqual({
    iss: 'plinth',
    aud: t.projects[0].ref,
    sub: id,
    email,
    role: 'user',
    sid: expect.any(String),
    iat: expect.any(Number),
    exp: content.iat! + 2880 * 60,
  });
  expect(Buffer.from(token.split('.')[1]!, 'base64url').toString()).not.toContain(password);
});
