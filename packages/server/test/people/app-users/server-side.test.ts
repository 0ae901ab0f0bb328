import { describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import {
  bearing,
  doorOf,
  logIn,
  newEmail,
  newPerson,
  type Person,
  statusOf,
} from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const at = ({ id }: { id: string }) => `/auth-collections/users/${id}`;
const login = ({ email, password }: Person) => doorOf(t).post('/auth-collections/login', { email, password });

describe('a single user', () => {
  test('is its public profile to everyone, without data.private; the whole record to the API key', async () => {
    const data = { name: 'Ada', private: { plan: 'gold' } };
    const person = await newPerson(t, { data });
    const other = await newPerson(t);
    for (const client of [doorOf(t), other.me, person.me]) {
      const { status, body } = await client.get(at(person));
      expect(status).toBe(200);
      expect(body.data).toEqual({
        id: person.id,
        role: 'user',
        data: { name: 'Ada' },
        createdAt: expect.any(String),
      });
    }
    expect((await t.api.get(at(person))).body.data).toMatchObject({ email: person.email, data, claims: {} });
    expect((await person.me.get('/auth-collections/user')).body.data.data).toEqual(data);
  });

  test('of another project, of no project, or of no form is 404 with one and the same body', async () => {
    const foreign = await newPerson(t, { project: 1 });
    const missing = foreign.id.replace(/.{8}$/, '00000000');
    for (const client of [t.api, doorOf(t)]) {
      const bodies = [];
      for (const id of [foreign.id, missing, 'me', foreign.id.toUpperCase(), "' OR 1=1"]) {
        const { status, body } = await client.get(at({ id: encodeURIComponent(id) }));
        expect({ status, body }, id).toFailWith(404, 'user_not_found');
        bodies.push({ ...body.error, message: body.error.message.replace(id, ''), requestId: '' });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    }
  });
});

describe('PATCH with the API key', () => {
  test('gives any role, claims, a verified e-mail, a phone and data', async () => {
    const person = await newPerson(t, { data: { kept: 1 } });
    const changes = {
      role: 'admin',
      claims: { plan: 'gold', seats: [1] },
      email_verified: true,
      phone: '+4915112345678',
      data: { city: 'Lagos' },
    };
    const { status, body } = await t.api.patch(at(person), changes);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...changes, id: person.id, data: { kept: 1, city: 'Lagos' } });
    expect((await person.me.get('/auth-collections/user')).body.data).toEqual(body.data);
    const again = await t.api.patch(at(person), {
      claims: { plan: null, $append: { seats: 2 } },
      phone: null,
    });
    expect(again.body.data).toMatchObject({ claims: { plan: null, seats: [1, 2] } });
    expect(again.body.data).not.toHaveProperty('phone');
  });

  test('sets a password, which ends every token', async () => {
    const person = await newPerson(t);
    await t.api.patch(at(person), { password: 'set by the server' });
    expect(await statusOf(t, person.token)).toBe(401);
    expect((await login(person)).status).toBe(401);
    expect((await login({ ...person, password: 'set by the server' })).status).toBe(200);
  });

  test('changes the e-mail, but not to one that is taken', async () => {
    const [person, other] = [await newPerson(t), await newPerson(t)];
    const email = newEmail();
    expect((await t.api.patch(at(person), { email })).body.data.email).toBe(email);
    const { status, body } = await t.api.patch(at(person), { email: other.email.toUpperCase() });
    expect({ status, body }).toFailWith(400, 'email_taken');
  });

  test('of 12 users to one e-mail at once: one gets it, the others are 400 email_taken', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => newPerson(t)));
    for (let round = 0; round < 5; round += 1) {
      const email = newEmail();
      const replies = await Promise.all(people.map((person) => t.api.patch(at(person), { email })));
      const codes = replies.map(({ status, body }) => String(body.error?.code ?? status)).toSorted();
      expect(codes).toEqual(['200', ...Array.from({ length: 11 }, () => 'email_taken')]);
    }
  });

  test('and DELETE: a user’s token is not enough, nothing is 401, an unknown user 404', async () => {
    const person = await newPerson(t);
    for (const [client, status, code] of [
      [person.me, 403, 'api_key_required'],
      [t.anonymous, 401, 'credential_required'],
      [t.projects[1].api, 404, 'user_not_found'],
    ] as const) {
      for (const reply of [await client.patch(at(person), { role: 'x' }), await client.delete(at(person))]) {
        expect([reply.status, reply.body.error.code]).toEqual([status, code]);
      }
    }
    expect((await person.me.get('/auth-collections/user')).body.data.role).toBe('user');
  });
});

describe('suspension', () => {
  test('ends every token and refuses the right password with 403 user_suspended', async () => {
    const person = await newPerson(t);
    const { body } = await t.api.patch(at(person), { suspended: true });
    expect(body.data.suspended).toBe(true);
    expect(await statusOf(t, person.token)).toBe(401);
    const right = await login(person);
    expect(right).toFailWith(403, 'user_suspended');
    const wrong = await login({ ...person, password: 'wrong horse' });
    expect(wrong).toFailWith(401, 'invalid_login');
  });

  test('when lifted lets the user log in again; the old tokens stay dead', async () => {
    const person = await newPerson(t);
    await t.api.patch(at(person), { suspended: true });
    const { body } = await t.api.patch(at(person), { suspended: false });
    expect(body.data).not.toHaveProperty('suspended');
    expect(await statusOf(t, person.token)).toBe(401);
    expect(await statusOf(t, await logIn(t, person))).toBe(200);
  });
});

test('DELETE removes the user, its tokens and its login; the e-mail is free again', async () => {
  const person = await newPerson(t);
  const { status, body } = await t.api.delete(at(person));
  expect([status, body.data]).toEqual([200, { id: person.id, deleted: true }]);
  expect(await statusOf(t, person.token)).toBe(401);
  expect(await login(person)).toFailWith(401, 'invalid_login');
  expect((await t.api.get(at(person))).status).toBe(404);
  expect((await t.api.delete(at(person))).status).toBe(404);
  const again = await newPerson(t, { email: person.email });
  expect(again.id).not.toBe(person.id);
  expect(await statusOf(t, person.token)).toBe(401);
});

describe('API key and token at once', () => {
  test('the token says who acts, the key makes the call trusted', async () => {
    const person = await newPerson(t, { data: { private: 1 } });
    const other = await newPerson(t, { data: { private: 2 } });
    const both = new Client(t.url, {
      'x-api-key': t.projects[0].apiKey,
      authorization: `Bearer ${person.token}`,
    });
    expect((await both.get('/auth-collections/user')).body.data.id).toBe(person.id);
    expect((await both.patch('/auth-collections/user', { data: { a: 1 } })).body.data.id).toBe(person.id);
    expect((await both.get(at(other))).body.data.email).toBe(other.email);
    expect((await both.get('/auth-collections/users')).status).toBe(200);
    expect((await both.post('/collections', { name: 'trusted' })).status).toBe(201);
  });

  test('a wrong one of the two, or one of another project, is 401', async () => {
    const [mine, foreign] = [await newPerson(t), await newPerson(t, { project: 1 })];
    const [project, otherProject] = t.projects;
    for (const [apiKey, token] of [
      [project.apiKey, foreign.token],
      [otherProject.apiKey, mine.token],
      [project.apiKey, 'made-up'],
      ['plk_made-up', mine.token],
    ] as const) {
      const client = bearing(t, token);
      const { status, body } = await client.get('/auth-collections/user', {
        headers: { 'x-api-key': apiKey },
      });
      expect({ status, body }).toFailWith(401, 'invalid_credentials');
    }
  });
});
