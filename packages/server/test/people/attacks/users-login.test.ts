// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { percentile } from '../../support/calls/flood.ts';
import type { Client } from '../../support/client.ts';
import { doorOf, newEmail, newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let door: Client;
let person: Person;
beforeAll(async () => {
  door = doorOf(t);
  person = await newPerson(t);
});

const logIn = (email: string, password: string) => door.post('/auth-collections/login', { email, password });

test('A1: an unknown e-mail and a wrong password are one answer, to the letter', async () => {
  const foreign = await newPerson(t, { project: 1 });
  const replies = [
    await logIn(person.email, 'wrong horse'),
    await logIn(newEmail(), 'wrong horse'),
    await logIn(newEmail(), person.password),
    await logIn(foreign.email, foreign.password),
    await logIn(person.email, ''),
    await logIn('not an e-mail', 'wrong horse'),
  ];
  const answers = replies.map(({ status, headers, text, body }) => ({
    status,
    text: text.replace(body.error.requestId, ''),
    headers: [...headers.keys()].filter((name) => !name.startsWith('x-ratelimit')),
  }));
  expect(answers[0]).toMatchObject({ status: 401, text: expect.stringContaining('"invalid_login"') });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test('A1: an unknown e-mail takes as long as a wrong password', async () => {
  const times = { unknown: [] as number[], wrong: [] as number[] };
  for (let n = -3; n < 60; n += 1) {
    for (const [kind, email] of [['unknown', newEmail()] as const, ['wrong', person.email] as const]) {
      const start = performance.now();
      await logIn(email, 'wrong horse');
      if (n >= 0) times[kind].push(performance.now() - start);
    }
  }
  const ratio = percentile(times.unknown, 0.5) / percentile(times.wrong, 0.5);
  console.log(`median of an unknown e-mail to that of a wrong password: ${ratio.toFixed(2)}`);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.7);
});

test('A3: every character of a long password counts', async () => {
  const password = `${'a'.repeat(72)}${'b'.repeat(184)}`;
  const { email } = await newPerson(t, { password });
  expect((await logIn(email, password)).status).toBe(200);
  for (const wrong of [password.slice(0, 72), password.slice(0, -1), `${password.slice(0, -1)}c`]) {
    expect((await logIn(email, wrong)).status).toBe(401);
  }
});

test('A3: case, space and accents of a password count', async () => {
  const { email } = await newPerson(t, { password: 'Pässword 1 ' });
  for (const wrong of ['pässword 1 ', 'Pässword 1', ' Pässword 1 ', 'Password 1 ', 'Pässword  1 ']) {
    expect((await logIn(email, wrong)).status).toBe(401);
  }
  expect((await logIn(email, 'Pässword 1 ')).status).toBe(200);
});

test('A3: a password of a megabyte is refused before it is hashed, wherever it is sent', async () => {
  const huge = 'x'.repeat(1_000_000);
  const replies = [
    await logIn(person.email, huge),
    await logIn(newEmail(), huge),
    await door.post('/auth-collections/signup', { email: newEmail(), password: huge }),
    await person.me.post('/auth-collections/change-password', {
      old_password: huge,
      new_password: 'new horse',
    }),
    await person.me.patch('/auth-collections/user', { email: newEmail(), password: huge }),
    await t.api.patch(`/auth-collections/users/${person.id}`, { password: huge }),
  ];
  for (const { status, body } of replies) expect({ status, body }).toFailWith(400, 'invalid_body');
  const larger = await logIn(person.email, 'x'.repeat(1_100_000));
  expect(larger).toFailWith(413, 'body_too_large');
});

test('A3: a password with U+0000 or half a surrogate pair is 400, never cut there', async () => {
  for (const odd of ['correct horse\\u0000battery', 'correct horse\\ud800']) {
    for (const path of ['signup', 'login']) {
      const raw = `{"email":"${newEmail()}","password":"${odd}"}`;
      const { status, body } = await door.post(`/auth-collections/${path}`, undefined, { raw });
      expect({ status, body }).toFailWith(400, 'invalid_json_value');
    }
  }
});

test('D10: credentials that are no strings are 400', async () => {
  for (const odd of [null, 1, true, [], {}, ['correct horse'], { $ne: '' }, { toString: 'x' }]) {
    for (const body of [
      { email: odd, password: person.password },
      { email: person.email, password: odd },
    ]) {
      const reply = await door.post('/auth-collections/login', body);
      expect(reply).toFailWith(400, 'invalid_body');
    }
  }
});
