// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { doorOf, newEmail, newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let person: Person;
beforeAll(async () => {
  person = await newPerson(t, { data: { kept: 1 } });
});

/** Everything that is stored of a user. */
async function rowOf(id: string): Promise<string> {
  const { rows } = await t.cells.pool(t.projects[0].cell).query<{ row: string }>(
    `SELECT (own.*, secrets.*)::text AS row FROM cell.app_users AS own
     JOIN cell.app_user_secrets AS secrets ON secrets.user_id = own.id WHERE own.id = $1`,
    [id],
  );
  return rows[0]!.row;
}

async function usersWith(email: string): Promise<number> {
  return (await t.api.get(`/auth-collections/users?email=${email}`)).body.total;
}

const names = ['__proto__', 'constructor', 'prototype', '\\u005f_proto__', '__pr\\u006fto__'];
/** Bodies with a refused name, as text: an object literal would not keep it. */
const shapes: Record<string, (name: string) => string> = {
  'at the top': (name) => `{"${name}":{"polluted":1}}`,
  'in data': (name) => `{"data":{"${name}":{"polluted":1}}}`,
  'deep in data': (name) => `{"data":{"a":[{"b":{"${name}":{"polluted":1}}}]}}`,
  'as an operator’s field': (name) => `{"data":{"$append":{"${name}":1}}}`,
  'on an operator’s path': (name) => `{"data":{"$append":{"${name}.polluted":1}}}`,
  'at the end of a path': (name) => `{"data":{"$increment":{"kept2.${name}":1}}}`,
  'in an operator’s value': (name) => `{"data":{"$append":{"list":{"${name}":{"polluted":1}}}}}`,
  'to be removed': (name) => `{"data":{"$unset":{"${name}":true}}}`,
  'to be taken out': (name) => `{"data":{"$remove":{"${name}.polluted":1}}}`,
};

describe('D6: names that reach into JavaScript’s own objects are 400', () => {
  const cases = Object.entries(shapes).flatMap(([where, make]) =>
    names.map((name) => ({ where, name, raw: make(name) })),
  );
  test.each(cases)('$name $where', async ({ raw }) => {
    const before = await rowOf(person.id);
    const email = newEmail();
    const onTop = (more: string) => raw.replace(/^\{/, `{${more},`);
    const asClaims = raw.replace('"data"', '"claims"');
    const replies: Reply[] = [
      await person.me.patch('/auth-collections/user', undefined, { raw }),
      await t.api.patch(`/auth-collections/users/${person.id}`, undefined, { raw }),
      await t.api.patch(`/auth-collections/users/${person.id}`, undefined, { raw: asClaims }),
      await doorOf(t).post('/auth-collections/signup', undefined, {
        raw: onTop(`"email":"${email}","password":"correct horse"`),
      }),
      await doorOf(t).post('/auth-collections/login', undefined, {
        raw: onTop(`"email":"${person.email}","password":"correct horse"`),
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await rowOf(person.id)).toBe(before);
    expect(await usersWith(email)).toBe(0);
    // The service runs in this process: nothing of its objects was changed either.
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(([] as unknown as Record<string, unknown>).polluted).toBeUndefined();
  });
});

/** What the service decides by itself. */
const owned = [
  'id',
  'createdAt',
  'updatedAt',
  'email_verified',
  'claims',
  'project_id',
  'phone',
  'suspended',
];
const more = ['is_suspended', 'email_key', 'password_hash', 'token', 'version', 'access_token', 'sub'];
const values = ['x', null, 0, true, {}, '2020-01-01T00:00:00.000Z'];

describe('D7: a field that is not the caller’s to set is 400 beside data', () => {
  test.each([...owned, ...more])('%s', async (name) => {
    const before = await rowOf(person.id);
    for (const value of values) {
      const email = newEmail();
      for (const reply of [
        await person.me.patch('/auth-collections/user', { [name]: value, data: { changed: true } }),
        await doorOf(t).post('/auth-collections/signup', { email, password: 'correct horse', [name]: value }),
      ]) {
        expect(reply).toFailWith(400, 'invalid_body');
      }
      expect(await usersWith(email)).toBe(0);
    }
    expect(await rowOf(person.id)).toBe(before);
  });
});

describe('D7: inside data it is the user’s own, except what the service owns, which is ignored', () => {
  test.each([...owned, ...more, 'email', 'role', 'password'])('%s', async (name) => {
    const isIgnored = ['id', 'createdAt', 'updatedAt'].includes(name);
    const { me, id } = await newPerson(t, { data: { [name]: 'at sign-up' } });
    const { data: before } = (await me.get('/auth-collections/user')).body;
    expect(before.data).toEqual(isIgnored ? {} : { [name]: 'at sign-up' });
    for (const value of values) {
      const { data: after } = (await me.patch('/auth-collections/user', { data: { [name]: value } })).body;
      const { updatedAt: _, ...rest } = before;
      expect(after).toMatchObject({ ...rest, data: isIgnored ? {} : { [name]: value } });
    }
    expect((await t.api.get(`/auth-collections/users/${id}`)).body.data.id).toBe(id);
  });
});

test('D7: the server side may not set them either', async () => {
  const before = await rowOf(person.id);
  for (const name of [
    'id',
    'createdAt',
    'updatedAt',
    'project_id',
    'password_hash',
    'is_suspended',
    'isTrusted',
  ]) {
    const { status } = await t.api.patch(`/auth-collections/users/${person.id}`, { [name]: 'x', role: 'x' });
    expect([name, status]).toEqual([name, 400]);
  }
  expect(await rowOf(person.id)).toBe(before);
});

test('D1, D2, D4: what could not be stored unchanged is 400 in data, claims, e-mail and role', async () => {
  const before = await rowOf(person.id);
  for (const value of ['"a\\u0000b"', '"a\\ud800"', '1e400', '9007199254740993', '{"a\\u0000":1}']) {
    for (const raw of [`{"data":{"x":${value}}}`, `{"role":${value}}`, `{"email":${value},"password":"x"}`]) {
      const reply = await person.me.patch('/auth-collections/user', undefined, { raw });
      expect(reply.status).toBe(400);
    }
    const raw = `{"claims":{"x":${value}}}`;
    expect((await t.api.patch(`/auth-collections/users/${person.id}`, undefined, { raw })).status).toBe(400);
  }
  expect(await rowOf(person.id)).toBe(before);
});
