import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bearing, doorOf, newEmail, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const path = '/auth-collections/users';

const create = (body: object, headers: Record<string, string> = {}) => t.api.post(path, body, { headers });
const logIn = (email: string, password: string) =>
  doorOf(t).post('/auth-collections/login', { email, password });

describe('the server creates a user', () => {
  test('with all that a record has, and opens no session', async () => {
    const wish = {
      email: newEmail(),
      email_verified: true,
      phone: '+49 170 5550100',
      role: 'editor',
      data: { name: 'Ada', private: { city: 'London' } },
      claims: { team: 'red' },
    };
    const { status, body } = await create({ ...wish, password: 'correct horse' });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(String),
        ...wish,
        phone: '+491705550100',
        createdAt: expect.any(String),
        updatedAt: body.data.createdAt,
      },
    });
    expect((await t.api.get(`${path}/${body.data.id}`)).body.data).toEqual(body.data);
    const { rows } = await t.cells
      .pool(t.projects[0].cell)
      .query('SELECT FROM cell.sessions WHERE user_id = $1', [body.data.id]);
    expect(rows).toHaveLength(0);
    expect((await logIn(wish.email, 'correct horse')).status).toBe(200);
  });

  test('with an e-mail address alone: no password lets anybody in', async () => {
    const email = newEmail();
    const { status, body } = await create({ email });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ email, role: 'user', email_verified: false, data: {}, claims: {} });
    for (const password of ['', 'null', 'correct horse'])
      expect(await logIn(email, password)).toFailWith(401, 'invalid_login');
  });

  test('who is suspended from the start', async () => {
    const email = newEmail();
    await create({ email, password: 'correct horse', suspended: true });
    expect(await logIn(email, 'correct horse')).toFailWith(403, 'user_suspended');
  });

  test('once for an Idempotency-Key', async () => {
    const body = { email: newEmail(), password: 'correct horse' };
    const key = { 'idempotency-key': randomUUID() };
    const first = await create(body, key);
    const again = await create(body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('whose data links to others, who can be populated', async () => {
    const friend = await newPerson(t);
    const email = newEmail();
    await create({ email, password: 'correct horse', data: { friend_ids: [friend.id] } });
    const me = bearing(t, (await logIn(email, 'correct horse')).body.access_token);
    const { body } = await me.get('/auth-collections/user?populate=friend_ids');
    expect(body.data.data.friend_ids).toMatchObject([{ id: friend.id, role: 'user' }]);
  });
});

describe('the server is refused', () => {
  test('an address or a phone number that is taken, as everywhere', async () => {
    const { email } = await newPerson(t);
    expect(await create({ email: email.toUpperCase() })).toFailWith(400, 'email_taken');
    const phone = '+491705550199';
    expect((await create({ email: newEmail(), phone })).status).toBe(201);
    const other = newEmail();
    expect(await create({ email: other, phone: '0049 170 5550199' })).toFailWith(400, 'phone_taken');
    expect((await t.api.get(`${path}?email=${other}`)).body.total).toBe(0);
  });

  test.each<[string, object, string]>([
    ['no address', {}, 'invalid_body'],
    ['half an address', { email: 'ada' }, 'invalid_body'],
    ['no phone number', { phone: '123' }, 'invalid_body'],
    ['a short password', { password: '1234567' }, 'invalid_body'],
    ['a password that everybody tries', { password: 'password123' }, 'weak_password'],
    ['a password and a hash', { password: 'correct horse', passwordHash: '$2a$' }, 'invalid_body'],
    ['an operator', { data: { $append: { a: 1 } } }, 'invalid_operator'],
    ['an operator in claims', { claims: { $append: { a: 1 } } }, 'invalid_operator'],
    ['something unknown', { name: 'Ada' }, 'invalid_body'],
  ])('%s', async (name, wish, code) => {
    const email = name === 'no address' ? {} : { email: newEmail() };
    expect(await create({ ...email, ...wish })).toFailWith(400, code);
  });
});

test('only the server creates users like this', async () => {
  const { me } = await newPerson(t);
  expect(await me.post(path, { email: newEmail() })).toFailWith(403, 'api_key_required');
  expect(await doorOf(t).post(path, { email: newEmail() })).toFailWith(401, 'credential_required');
});
