import { describe, expect, test } from 'vitest';
import { doorOf, newEmail, newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const path = '/auth-collections/user';
const read = async ({ me }: Person) => (await me.get(path)).body.data;

test('PATCH merges the top-level keys of data; null stores null', async () => {
  const person = await newPerson(t, { data: { a: 1, b: { x: 1, y: 2 }, c: [1] } });
  const { status, body } = await person.me.patch(path, { data: { a: null, b: { z: 3 }, d: 'new' } });
  expect(status).toBe(200);
  expect(body.data.data).toEqual({ a: null, b: { z: 3 }, c: [1], d: 'new' });
  expect(await read(person)).toEqual(body.data);
});

test('each change moves updatedAt on, and createdAt stays', async () => {
  const person = await newPerson(t);
  let before = await read(person);
  for (let n = 0; n < 3; n += 1) {
    const { data: after } = (await person.me.patch(path, { data: { n } })).body;
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(after.createdAt).toBe(before.createdAt);
    before = after;
  }
});

test('parallel changes of different fields all survive', async () => {
  const person = await newPerson(t);
  const fields = Array.from({ length: 20 }, (_, n) => [`f${n}`, n] as const);
  await Promise.all(fields.map(([name, n]) => person.me.patch(path, { data: { [name]: n } })));
  expect((await read(person)).data).toEqual(Object.fromEntries(fields));
});

test('the operators work inside data, with dotted paths and several values', async () => {
  const person = await newPerson(t, { data: { tags: ['a'], stats: { visits: 1 }, gone: 1 } });
  const { body } = await person.me.patch(path, {
    data: {
      name: 'Ada',
      $append: { tags: { $each: ['a', 'b'] }, following_ids: person.id },
      $addUnique: { 'deep.list': 'once' },
      $increment: { 'stats.visits': 2 },
      $unset: { gone: true },
    },
  });
  expect(body.data.data).toEqual({
    name: 'Ada',
    tags: ['a', 'a', 'b'],
    following_ids: [person.id],
    deep: { list: ['once'] },
    stats: { visits: 3 },
  });
  await person.me.patch(path, { data: { $remove: { tags: 'a', following_ids: person.id } } });
  expect((await read(person)).data).toMatchObject({ tags: ['b'], following_ids: [] });
});

test('a role may be changed by the user while the project lists none', async () => {
  const person = await newPerson(t);
  expect((await person.me.patch(path, { role: 'editor' })).body.data.role).toBe('editor');
  expect((await read(person)).role).toBe('editor');
});

describe('the e-mail', () => {
  const verified = async (person: Person): Promise<void> => {
    await t.api.patch(`/auth-collections/users/${person.id}`, { email_verified: true });
  };

  test('changes with the current password, and is unverified then', async () => {
    const person = await newPerson(t);
    await verified(person);
    const email = newEmail();
    const { status, body } = await person.me.patch(path, { email, password: person.password });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ email, email_verified: false });
    const door = doorOf(t);
    const login = { password: person.password };
    expect((await door.post('/auth-collections/login', { ...login, email })).status).toBe(200);
    expect((await door.post('/auth-collections/login', { ...login, email: person.email })).status).toBe(401);
  });

  test('spelled in another case is the same address: it stays verified', async () => {
    const person = await newPerson(t);
    await verified(person);
    const email = person.email.toUpperCase();
    const { body } = await person.me.patch(path, { email, password: person.password });
    expect(body.data).toMatchObject({ email, email_verified: true });
  });

  test('without the password, or with a wrong one, is 400 wrong_password and nothing changes', async () => {
    const person = await newPerson(t);
    await verified(person);
    for (const password of [undefined, '', 'wrong horse']) {
      const change = {
        email: newEmail(),
        data: { changed: true },
        ...(password !== undefined && { password }),
      };
      const { status, body } = await person.me.patch(path, change);
      expect({ status, body }).toFailWith(400, 'wrong_password');
    }
    expect(await read(person)).toMatchObject({ email: person.email, email_verified: true, data: {} });
  });

  test('of another user is 400 email_taken, in any case', async () => {
    const [person, other] = [await newPerson(t), await newPerson(t)];
    const email = other.email.toUpperCase();
    const { status, body } = await person.me.patch(path, { email, password: person.password });
    expect({ status, body }).toFailWith(400, 'email_taken');
  });

  test('that 12 users want at once goes to one of them; the others hear 400 email_taken', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => newPerson(t)));
    const email = newEmail();
    const replies = await Promise.all(people.map(({ me, password }) => me.patch(path, { email, password })));
    const codes = replies.map(({ status, body }) => String(body.error?.code ?? status)).toSorted();
    expect(codes).toEqual(['200', ...Array.from({ length: 11 }, () => 'email_taken')]);
  });
});

test('populate puts linked users in the place of their ids, as public profiles', async () => {
  const friend = await newPerson(t, { data: { name: 'Ben', private: { secret: 1 } } });
  const person = await newPerson(t, { data: { following_ids: [friend.id], best_id: friend.id } });
  const { body } = await person.me.get(`${path}?populate=following_ids&populate=best`);
  const profile = { id: friend.id, role: 'user', data: { name: 'Ben' }, createdAt: expect.any(String) };
  expect(body.data.data).toEqual({ following_ids: [profile], best: profile, best_id: friend.id });
});

test('the user’s own calls need its token: nothing is 401, the API key alone 403 user_required', async () => {
  const calls = [
    ['GET', 'user'],
    ['PATCH', 'user'],
    ['POST', 'change-password'],
    ['POST', 'logout'],
  ] as const;
  for (const [method, name] of calls) {
    const body = method === 'GET' ? undefined : {};
    const bare = await t.anonymous.call(method, `/auth-collections/${name}`, body);
    expect(bare, name).toFailWith(401, 'credential_required');
    const byServer = await t.api.call(method, `/auth-collections/${name}`, body);
    expect(byServer, name).toFailWith(403, 'user_required');
  }
});
