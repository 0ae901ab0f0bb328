import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: Client;
let ids: Record<string, string>;

const people = [
  {
    name: 'ada',
    role: 'admin',
    data: { city: 'London', age: 36, tags: ['maths'] },
    claims: { plan: 'gold' },
  },
  { name: 'ben', role: 'user', data: { city: 'Lagos', age: 20, tags: ['music', 'maths'] }, claims: {} },
  { name: 'cyd', role: 'user', data: { city: 'lagos', age: '20' }, claims: { plan: 'free', seats: 3 } },
  { name: 'dee', role: 'editor', data: {}, claims: { seats: 10 } },
  { name: 'eve', role: 'user', data: { city: null, age: 64 }, claims: { plan: 'gold', seats: 2 } },
];

beforeAll(async () => {
  api = t.api;
  ids = {};
  for (const { name, role, data, claims } of people) {
    const person = await newPerson(t, {
      email: `${name}@${name === 'dee' ? 'Corp' : 'Home'}.example`,
      role,
      data,
    });
    ids[name] = person.id;
    await api.patch(`/auth-collections/users/${person.id}`, { claims, email_verified: name === 'ada' });
  }
  await newPerson(t, { project: 1 });
});

async function list(query = '', headers: Record<string, string> = {}) {
  const reply = await api.get(`/auth-collections/users?${query}`, { headers });
  expect(reply.status, reply.text).toBe(200);
  return reply;
}
const namesOf = (users: { email: string }[]): string[] => users.map(({ email }) => email.slice(0, 3));
const namesFor = async (query: string) => namesOf((await list(query)).body.data);

test('all users of this project and no other, newest first, whole', async () => {
  const { body } = await list();
  expect(namesOf(body.data)).toEqual(['eve', 'dee', 'cyd', 'ben', 'ada']);
  expect(body).toMatchObject({ total: 5, limit: 20, offset: 0, hasMore: false, nextCursor: null });
  expect(body.data.at(-1)).toEqual({
    id: ids.ada,
    email: 'ada@Home.example',
    role: 'admin',
    email_verified: true,
    data: people[0]!.data,
    claims: people[0]!.claims,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
});

test('limit and offset page; a limit over 100 is served as 100; a figure that is none is 400', async () => {
  const { body } = await list('limit=2&offset=1');
  expect(namesOf(body.data)).toEqual(['dee', 'cyd']);
  expect(body).toMatchObject({ total: 5, limit: 2, offset: 1, hasMore: true });
  expect((await list('limit=500')).body.limit).toBe(100);
  expect((await list('offset=50')).body).toMatchObject({ data: [], total: 5 });
  for (const query of ['limit=0', 'limit=x', 'offset=-1', 'offset=1.5', 'limit=1&limit=2']) {
    const { status, body: refused } = await api.get(`/auth-collections/users?${query}`);
    expect({ status, body: refused }, query).toFailWith(400, 'invalid_query');
  }
});

test('a cursor walks all of them once, in the default order and in a sorted one', async () => {
  for (const order of ['', '&orderBy=data.age', '&orderBy=role,email&order=desc,asc', '&orderBy=createdAt']) {
    const whole = await namesFor(`limit=100${order}`);
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await list(`limit=2${order}${cursor}`);
      walked.push(...namesOf(body.data));
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (cursor !== '' && walked.length < 10);
    expect(walked).toEqual(whole);
  }
});

describe('filters', () => {
  test.each<[string, string[]]>([
    ['role=user', ['eve', 'cyd', 'ben']],
    ['role__ne=user', ['dee', 'ada']],
    ['role__in=admin,editor', ['dee', 'ada']],
    ['email_contains=CORP', ['dee']],
    ['email_contains=home&role=user', ['eve', 'cyd', 'ben']],
    ['email_contains=%25', []],
    ['email__startswith=B', ['ben']],
    ['email_verified=true', ['ada']],
    ['phone__isnull=true', ['eve', 'dee', 'cyd', 'ben', 'ada']],
    ['data.city=Lagos', ['ben']],
    ['data.city__contains=LAGOS', ['cyd', 'ben']],
    ['data.city__isnull=true', ['eve', 'dee']],
    ['data.age=20', ['cyd', 'ben']],
    ['data.age__gt=20', ['eve', 'ada']],
    ['data.tags=maths', ['ben', 'ada']],
    ['claims.plan=gold', ['eve', 'ada']],
    ['claims.seats__gte=3', ['dee', 'cyd']],
    ['claims.plan__ne=gold', ['dee', 'cyd', 'ben']],
    ['[or]role=admin&[or]claims.plan=free', ['cyd', 'ada']],
    ['data.city__or__role__contains=ed', ['dee']],
    ['createdAt__gt=2999-01-01', []],
    ['createdAt__gt=2020-01-01&role=editor', ['dee']],
  ])('%s', async (query, expected) => {
    const { body } = await list(query);
    expect(namesOf(body.data)).toEqual(expected);
    expect(body.total).toBe(expected.length);
    // The total of a filtered list is the same when the page does not show it.
    expect((await list(`${query}&limit=1`)).body.total).toBe(expected.length);
  });

  test('by id', async () => {
    expect(await namesFor(`id=${ids.cyd}`)).toEqual(['cyd']);
    expect(await namesFor(`id__in=${ids.cyd},${ids.eve}`)).toEqual(['eve', 'cyd']);
  });

  test.each([
    'password=x',
    'password_hash__startswith=x',
    'secrets.password_hash=x',
    'project_id=1',
    'email_key=x',
    'is_suspended=true',
    'data=x',
    'claims=x',
    'nothing=x',
    'email.x=y',
    'role__like=x',
    'orderBy=password',
    'orderBy=data',
    'select=password',
  ])('%s is 400 invalid_query: there is no such field or operator', async (query) => {
    const { status, body } = await api.get(`/auth-collections/users?${query}`);
    expect({ status, body }).toFailWith(400, 'invalid_query');
  });
});

test('orderBy sorts by any field, of data and claims too; null and missing come first', async () => {
  expect(await namesFor('orderBy=email')).toEqual(['ada', 'ben', 'cyd', 'dee', 'eve']);
  expect(await namesFor('orderBy=email&order=desc')).toEqual(['eve', 'dee', 'cyd', 'ben', 'ada']);
  expect(await namesFor('orderBy=data.age')).toEqual(['dee', 'cyd', 'ben', 'ada', 'eve']);
  expect(await namesFor('orderBy=claims.seats,email&order=desc,asc')).toEqual([
    'dee',
    'cyd',
    'eve',
    'ada',
    'ben',
  ]);
  expect(await namesFor('orderBy=createdAt')).toEqual(['ada', 'ben', 'cyd', 'dee', 'eve']);
});

test('Prefer says how much counting is wanted', async () => {
  expect((await list('role=user', { prefer: 'count=exact' })).body.total).toBe(3);
  expect((await list('role=user', { prefer: 'count=none' })).body).not.toHaveProperty('total');
});

test('bare, the figures are in headers', async () => {
  const reply = await list('limit=2', { 'x-response-format': 'bare' });
  expect(namesOf(reply.body)).toEqual(['eve', 'dee']);
  expect(reply.headers.get('x-total-count')).toBe('5');
  expect(reply.headers.get('link')).toMatch(
    /^<\/auth-collections\/users\?limit=2&cursor=[^>]+>; rel="next"$/,
  );
});

test('listing needs the API key: nothing is 401, a user’s token 403', async () => {
  const { me } = await newPerson(t, { project: 1 });
  const anonymous = await t.anonymous.get('/auth-collections/users');
  expect(anonymous).toFailWith(401, 'credential_required');
  const user = await me.get('/auth-collections/users');
  expect(user).toFailWith(403, 'api_key_required');
});
