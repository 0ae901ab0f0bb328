// @postgres newest
import { describe, expect, test } from 'vitest';
import { PasswordHasher } from '../../../src/features/people/passwords/password-hasher.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { doorOf, newEmail, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp({ DATABASE_POOL_SIZE: '4', QUERY_TIMEOUT_MS: '5000' });

test('6: lists of app users that take long keep nobody else from the database', async () => {
  const words = Array.from({ length: 100_000 }, (_, n) => `w${n}`)
    .join(' ')
    .slice(0, 900_000);
  for (let n = 0; n < 20; n += 1) {
    const { id } = await newPerson(t);
    expect((await t.api.patch(`/auth-collections/users/${id}`, { data: { words } })).status).toBe(200);
  }
  const slow = Array.from({ length: 90 }, (_, n) => `[or:g]data.words__contains=zz${n}`).join('&');
  const lists = Array.from({ length: 12 }, () => t.api.get(`/auth-collections/users?${slow}`));
  const other = t.projects[1].api;
  const { path } = await newCollection(other);
  for (let n = 0; n < 10; n += 1) expect((await other.get(`${path}?limit=1`)).status).toBe(200);
  for (const reply of await Promise.all(lists)) expect([200, 400, 429]).toContain(reply.status);
});

describe('10: what users keep of themselves', () => {
  test('has 64 KB, and a megabyte where the server says so', async () => {
    const large = { text: 'x'.repeat(70_000) };
    const person = await newPerson(t);
    expect(await person.me.patch('/auth-collections/user', { data: large })).toFailWith(
      413,
      'body_too_large',
    );
    const signUp = { email: newEmail(), password: 'correct horse', data: large };
    expect(await doorOf(t).post('/auth-collections/signup', signUp)).toFailWith(413, 'body_too_large');
    expect((await t.api.patch(`/auth-collections/users/${person.id}`, { data: large })).status).toBe(200);
    expect((await person.me.patch('/auth-collections/user', { data: { text: 'short' } })).status).toBe(200);
  });
});

test('20: however many passwords one project has tried, another has its own line', async () => {
  const hasher = new PasswordHasher();
  const tried = Array.from({ length: 300 }, () =>
    hasher.verify('1', 'wrong horse', undefined).catch((error: { code: string }) => error.code),
  );
  const startedAt = performance.now();
  expect(await hasher.verify('2', 'wrong horse', undefined)).toBe(false);
  const waitedMs = performance.now() - startedAt;
  const outcomes = await Promise.all(tried);
  expect(outcomes.filter((outcome) => outcome === 'rate_limited')).not.toHaveLength(0);
  expect(waitedMs).toBeLessThan((performance.now() - startedAt) / 2);
  await hasher.stop();
});
