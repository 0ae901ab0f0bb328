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

  test('is not read by calls that do not ask for it', async () => {
    const { path } = await newCollection(t.api);
    await t.api.patch(path, { settings: { rules: { read: 'owner_id=@user.id' } } });
    const [fat, thin] = [await newPerson(t), await newPerson(t)];
    const data = { parts: Array.from({ length: 340_000 }, () => ({})) };
    expect((await t.api.patch(`/auth-collections/users/${fat.id}`, { data })).status).toBe(200);
    const times: Record<'fat' | 'thin', number[]> = { fat: [], thin: [] };
    for (let n = 0; n < 31; n += 1) {
      for (const [who, { me }] of Object.entries({ fat, thin }) as ['fat' | 'thin', typeof fat][]) {
        const startedAt = performance.now();
        expect((await me.get(`${path}?limit=1`)).status).toBe(200);
        times[who].push(performance.now() - startedAt);
      }
    }
    const median = (of: number[]) => of.toSorted((one, another) => one - another)[15]!;
    // Read and parsed, it takes ten times as long as the rest of the call and more.
    expect(median(times.fat)).toBeLessThan(4 * median(times.thin));
  });

  test('is there for rules that ask for it, as it is now', async () => {
    const { path } = await newCollection(t.api);
    const rules = { read: 'team=@user.claims.team', create: 'team__in=@user.data.teams' };
    await t.api.patch(path, { settings: { rules } });
    const { id, me } = await newPerson(t);
    const user = `/auth-collections/users/${id}`;
    expect(await me.post(path, { team: 'red' })).toFailWith(403, 'rule_denied');
    await me.patch('/auth-collections/user', { data: { teams: ['red', 'blue'] } });
    const once = { headers: { 'Idempotency-Key': `once ${id}` } };
    expect((await me.post(path, { team: 'red' }, once)).status).toBe(201);
    expect((await me.post(`${path}/batch`, { documents: [{ team: 'red' }, { team: 'blue' }] })).status).toBe(
      201,
    );
    expect((await me.get(path)).body.data).toEqual([]);
    await t.api.patch(user, { claims: { team: 'red' } });
    expect((await me.get(path)).body.data).toHaveLength(2);
    await t.api.patch(user, { claims: { team: 'blue' } });
    expect((await me.get(path)).body.data).toHaveLength(1);
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

test('20: a hash from elsewhere may take a second, and no password of ours waits for it', async () => {
  const hasher = new PasswordHasher();
  const slow = `$2b$14$${'a'.repeat(53)}`;
  const done: string[] = [];
  const foreign = hasher.verify('1', 'wrong horse', slow).then(() => done.push('foreign'));
  for (let n = 0; n < 3; n += 1) {
    await hasher.verify('1', 'wrong horse', undefined);
    done.push('own');
  }
  await foreign;
  expect(done).toEqual(['own', 'own', 'own', 'foreign']);
  await hasher.stop();
});
