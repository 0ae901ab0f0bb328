import { expect, test } from 'vitest';
import { bearing, doorOf, logIn, newPerson, type Person, statusOf } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const sessionsOf = ({ id }: Pick<Person, 'id'>) => `/auth-collections/users/${id}/sessions`;

test('the server sees where a user is signed in, as the user itself does, and ends one sign-in', async () => {
  const person = await newPerson(t);
  await newPerson(t);
  const second = await logIn(t, person);
  const { status, body } = await t.api.get(sessionsOf(person));
  expect(status).toBe(200);
  const own = (await person.me.get('/auth-collections/sessions')).body.data;
  expect(own).toMatchObject(body.data);
  expect(body.data[0]).not.toHaveProperty('current');
  expect(body.data).toMatchObject([{ method: 'password' }, { method: 'sign-up' }]);
  expect(body.data[0].lastUsedAt).toBe(body.data[0].createdAt);
  const ended = await t.api.delete(`${sessionsOf(person)}/${body.data[0].id}`);
  expect([ended.status, ended.body.data]).toEqual([200, { id: body.data[0].id, ended: true }]);
  expect([await statusOf(t, second), await statusOf(t, person.token)]).toEqual([401, 200]);
  const again = await t.api.delete(`${sessionsOf(person)}/${body.data[0].id}`);
  expect(again).toFailWith(404, 'session_not_found');
});

test('a sign-in is last used when it last got new tokens', async () => {
  const person = await newPerson(t);
  const { body } = await doorOf(t).post('/auth-collections/login', {
    email: person.email,
    password: person.password,
  });
  await doorOf(t).post('/auth-collections/refresh', { refresh_token: body.refresh_token });
  const [session] = (await t.api.get(sessionsOf(person))).body.data;
  expect(Date.parse(session.lastUsedAt)).toBeGreaterThan(Date.parse(session.createdAt));
});

test('the server ends every sign-in of a user; the user may sign in again', async () => {
  const person = await newPerson(t);
  const other = await newPerson(t);
  const second = await logIn(t, person);
  expect((await t.api.delete(sessionsOf(person))).body.data).toEqual({ ended: 2 });
  expect((await t.api.delete(sessionsOf(person))).body.data).toEqual({ ended: 0 });
  for (const token of [person.token, second]) expect(await statusOf(t, token)).toBe(401);
  expect(await statusOf(t, other.token)).toBe(200);
  expect(await statusOf(t, await logIn(t, person))).toBe(200);
});

test('a sign-in of somebody else, or of another project, is not there', async () => {
  const [person, other, foreign] = [
    await newPerson(t),
    await newPerson(t),
    await newPerson(t, { project: 1 }),
  ];
  const [theirs] = (await t.api.get(sessionsOf(other))).body.data;
  for (const id of [theirs.id, 'x', '%00', `${theirs.id}'`])
    expect(await t.api.delete(`${sessionsOf(person)}/${id}`)).toFailWith(404, 'session_not_found');
  for (const id of [foreign.id, 'x', other.id.replace(/.{8}$/, '00000000')]) {
    expect(await t.api.get(sessionsOf({ id }))).toFailWith(404, 'user_not_found');
    expect(await t.api.delete(sessionsOf({ id }))).toFailWith(404, 'user_not_found');
  }
  expect(await t.api.get(`${sessionsOf(person)}?limit=1`)).toFailWith(400, 'invalid_query');
  expect(await bearing(t, other.token).get(sessionsOf(other))).toFailWith(403, 'api_key_required');
  for (const token of [person.token, other.token, foreign.token]) expect(await statusOf(t, token)).toBe(200);
});
