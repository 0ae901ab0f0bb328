import { expect, test } from 'vitest';
import { sql } from '../../../src/platform/db/sql.ts';
import { logIn, newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const remove = ({ me }: Person, body?: unknown) => me.call('DELETE', '/auth-collections/user', body);

/** As if the sign-in had been an hour ago. */
const age = ({ id }: Person) =>
  t.cells
    .pool(t.projects[0].cell)
    .query(sql`UPDATE cell.sessions SET created_at = now() - interval '1 hour' WHERE user_id = ${id}`);

test('a user who has just signed in deletes the account, and every token ends', async () => {
  const person = await newPerson(t);
  const elsewhere = await logIn(t, person);
  const { status, body } = await remove(person);
  expect({ status, data: body.data }).toEqual({ status: 200, data: { id: person.id, deleted: true } });
  for (const token of [person.token, elsewhere]) {
    const reply = await t.anonymous.get('/auth-collections/user', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply).toFailWith(401, 'invalid_credentials');
  }
  expect((await t.api.get(`/auth-collections/users/${person.id}`)).status).toBe(404);
});

test('later it takes the password', async () => {
  const person = await newPerson(t);
  await age(person);
  expect(await remove(person)).toFailWith(400, 'wrong_password');
  expect(await remove(person, { password: 'not it at all' })).toFailWith(400, 'wrong_password');
  expect((await person.me.get('/auth-collections/user')).status).toBe(200);
  expect((await remove(person, { password: person.password })).status).toBe(200);
});
