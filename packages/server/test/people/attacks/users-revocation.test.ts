// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { bearing, doorOf, logIn, newPerson, type Person, statusOf } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let here: string;
let there: string;
beforeAll(async () => {
  here = t.url;
  there = (await t.node()).url;
});

const server = (url: string) => new Client(url, { 'x-api-key': t.projects[0].apiKey });
const changePassword = (url: string, { token, password }: Person, next = 'the new password') =>
  bearing(t, token, url).post('/auth-collections/change-password', {
    old_password: password,
    new_password: next,
  });

/** Things that end every token of a user, done on the node at that address. */
const ends: Record<string, (person: Person, url: string) => Promise<unknown>> = {
  'a change of password': (person, url) => changePassword(url, person),
  'a password set by the server': ({ id }, url) =>
    server(url).patch(`/auth-collections/users/${id}`, { password: 'set by the server' }),
  suspension: ({ id }, url) => server(url).patch(`/auth-collections/users/${id}`, { suspended: true }),
  deletion: ({ id }, url) => server(url).delete(`/auth-collections/users/${id}`),
};

describe('A6: a token is 401 on every node the moment it was ended by', () => {
  test.each(Object.entries(ends))('%s', async (_name, end) => {
    const person = await newPerson(t);
    const second = await logIn(t, person);
    for (const url of [here, there]) {
      for (const token of [person.token, second]) expect(await statusOf(t, token, url)).toBe(200);
    }
    await end(person, here);
    for (const url of [there, here]) {
      for (const token of [person.token, second]) {
        const me = bearing(t, token, url);
        for (const reply of [
          await me.get('/auth-collections/user'),
          await me.post('/auth-collections/refresh'),
          await me.get('/collections/posts'),
        ]) {
          expect(reply).toFailWith(401, 'invalid_credentials');
        }
      }
    }
  });

  test('a logout, for that sign-in alone', async () => {
    const person = await newPerson(t);
    const second = await logIn(t, person);
    expect(await statusOf(t, person.token, there)).toBe(200);
    await person.me.post('/auth-collections/logout');
    expect(await statusOf(t, person.token, there)).toBe(401);
    expect(await statusOf(t, second, there)).toBe(200);
  });
});

test('A6: the fresh token after a change of password is valid on every node at once', async () => {
  const { body } = await changePassword(here, await newPerson(t));
  expect(await statusOf(t, body.access_token, there)).toBe(200);
});

describe('A6: logins under way leave no token behind', () => {
  /** Logs in several times on both nodes while something ends all tokens; the tokens that came of it. */
  async function loginsDuring({ email, password }: Person, end: () => Promise<unknown>): Promise<string[]> {
    const login = (n: number) =>
      doorOf(t, 0, n % 2 === 0 ? here : there).post('/auth-collections/login', { email, password });
    const logins = Array.from({ length: 8 }, (_, n) => login(n));
    await logins[0];
    await end();
    return (await Promise.all(logins)).flatMap(({ body }) => body.access_token ?? []);
  }

  test('when the password changes meanwhile', async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await newPerson(t);
      const tokens = await loginsDuring(person, () =>
        server(here).patch(`/auth-collections/users/${person.id}`, { password: 'set by the server' }),
      );
      for (const token of tokens) expect(await statusOf(t, token)).toBe(401);
    }
  });

  test('when the user is suspended meanwhile, also once the suspension is lifted', async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await newPerson(t);
      const suspend = (suspended: boolean) =>
        server(here).patch(`/auth-collections/users/${person.id}`, { suspended });
      const tokens = await loginsDuring(person, () => suspend(true));
      await suspend(false);
      for (const token of tokens) expect(await statusOf(t, token)).toBe(401);
    }
  });
});

test('A6: of parallel changes of one password one is made, and only its token is valid afterwards', async () => {
  const person = await newPerson(t);
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => changePassword(n % 2 ? here : there, person, `new password ${n}`)),
  );
  const done = replies.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  for (const { status, body } of replies.filter((reply) => reply !== done[0])) {
    expect(['400 wrong_password', '401 invalid_credentials']).toContain(`${status} ${body.error.code}`);
  }
  expect(await statusOf(t, done[0]!.body.access_token)).toBe(200);
  const password = `new password ${replies.indexOf(done[0]!)}`;
  expect(await logIn(t, { ...person, password })).toBeTypeOf('string');
});
