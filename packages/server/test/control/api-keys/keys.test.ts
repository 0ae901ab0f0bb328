// @postgres newest
import { describe, expect, test } from 'vitest';
import { changeKey, createKey, deleteKey, listKeys } from '../../../src/features/control/api-keys/index.ts';
import {
  getProject,
  regenerateKey,
  setBrowserKeys,
  setOrigins,
} from '../../../src/features/control/projects/index.ts';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { Client } from '../../support/client.ts';
import { newKey } from '../../support/control/keys.ts';
import { newPerson } from '../../support/people/people.ts';
import { type TestApp, testApp, useTestApp } from '../../support/test-app.ts';

const t = useTestApp({ TRUST_PROXY: '127.0.0.1' });
const refOf = (t: TestApp) => t.projects[0].ref;
const on = (url: string, apiKey: string, more: Record<string, string> = {}) =>
  new Client(url, { 'x-api-key': apiKey, ...more });

describe('the life of a key', () => {
  test('it is made, listed without the key itself, changed and deleted', async () => {
    const ref = refOf(t);
    const { record, apiKey } = await createKey(t.control, {
      ref,
      name: 'Reports',
      scopes: ['usage:read', 'usage:read', 'collection:orders:read'],
      addresses: ['10.1.2.3/8', '2001:DB8::1/32', '203.0.113.7'],
    });
    expect(apiKey).toMatch(/^plk_[a-z0-9]{43}$/);
    expect(record).toMatchObject({
      name: 'Reports',
      hint: apiKey.slice(-4),
      scopes: ['usage:read', 'collection:orders:read'],
      expiresAt: null,
      usedAt: null,
      inBrowserAt: null,
    });
    expect(record.addresses.toSorted()).toEqual(['10.0.0.0/8', '2001:db8::/32', '203.0.113.7/32']);
    expect(await listKeys(t.control, ref)).toEqual([record]);
    const id = { ref, id: record.id };
    expect(await changeKey(t.control, id, { name: 'Other' })).toEqual({ ...record, name: 'Other' });
    const expiresAt = new Date(Date.now() + 60_000);
    const changed = await changeKey(t.control, id, { scopes: ['*'], expiresAt, addresses: [] });
    expect(changed).toEqual({ ...record, name: 'Other', scopes: ['*'], expiresAt, addresses: [] });
    expect((await changeKey(t.control, id, { expiresAt: null })).expiresAt).toBeNull();
    expect((await on(t.url, apiKey).get('/usage')).status).toBe(200);
    await deleteKey(t.control, id);
    expect(await listKeys(t.control, ref)).toEqual([]);
    expect(await on(t.url, apiKey).get('/usage')).toFailWith(401, 'invalid_credentials');
    for (const gone of [record.id, 'nothing', "' OR 1=1"])
      await expect(deleteKey(t.control, { ref, id: gone })).rejects.toMatchObject({
        code: 'api_key_not_found',
      });
  });

  test('what cannot be a key is refused, with what is probably meant', async () => {
    const make = (wish: object) =>
      createKey(t.control, { ref: refOf(t), name: 'odd', scopes: ['*'], ...wish }).then(
        () => 'made',
        (error: Error) => error.message,
      );
    expect(await make({ scopes: ['user:read'] })).toMatch(
      /^"user:read" is not a scope\. Did you mean "users:read"\?/,
    );
    expect(await make({ scopes: ['*', 'orders:read'] })).toContain('Did you mean "collection:orders:read"?');
    expect(await make({ scopes: ['collection:orders:raed'] })).toContain('mean "collection:orders:read"?');
    expect(await make({ scopes: ['documents'] })).toContain('Scopes: *, documents:read, documents:write,');
    expect(await make({ scopes: [] })).toContain('at least one scope');
    expect(await make({ scopes: Array.from({ length: 51 }, (_, at) => `collection:c${at}:read`) })).toContain(
      '50',
    );
    expect(await make({ name: ' ' })).toContain('1 to 100');
    expect(await make({ expiresAt: new Date(Date.now() - 1) })).toContain('future');
    expect(await make({ expiresAt: new Date(Number.NaN) })).toContain('future');
    for (const odd of [
      '',
      'x',
      '10.0.0.0/33',
      '10.0.0',
      '::1/129',
      'fe80::1%eth0',
      '::ffff:10.0.0.0/104',
      '10.0.0.0/',
    ])
      expect(await make({ addresses: [odd] }), odd).toContain('is not an address or network');
    expect(await make({ addresses: Array.from({ length: 21 }, () => '10.0.0.1') })).toContain('20');
    await expect(createKey(t.control, { ref: 'nothing', name: 'x', scopes: ['*'] })).rejects.toMatchObject({
      code: 'project_not_found',
    });
  });

  test('a key of one project is nothing to another, nor can it be changed from there', async () => {
    const { id, apiKey } = await newKey(t, ['*']);
    const other = t.projects[1];
    const reply = await on(`${t.url}/p/${other.ref}`, apiKey).get('/usage');
    expect(reply).toFailWith(401, 'invalid_credentials');
    for (const change of [
      () => changeKey(t.control, { ref: other.ref, id }, { name: 'mine' }),
      () => deleteKey(t.control, { ref: other.ref, id }),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'api_key_not_found' });
    expect((await on(t.url, apiKey).get('/usage')).status).toBe(200);
  });

  test('a new API key leaves the further keys as they are', async () => {
    const project = await t.createProject();
    const { apiKey } = await createKey(t.control, { ref: project.ref, name: 'x', scopes: ['usage:read'] });
    await regenerateKey(t.control, project.ref);
    expect((await project.api.get('/usage')).status).toBe(401);
    expect((await on(t.url, apiKey).get('/usage')).status).toBe(200);
  });

  test('a project has 100 of them at most, whoever adds them at the same time', async () => {
    const { ref } = await t.createProject();
    const make = () => createKey(t.control, { ref, name: 'many', scopes: ['usage:read'] });
    for (let made = 0; made < 96; made += 1) await make();
    const results = await Promise.allSettled(Array.from({ length: 8 }, make));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'too_many_api_keys' });
    expect(await listKeys(t.control, ref)).toHaveLength(100);
  });
});

describe('what a call with a key needs', () => {
  test('a change is in force with the next call, on every node', async () => {
    const other = await t.node();
    const { id, apiKey } = await newKey(t, ['usage:read']);
    const clients = [on(t.url, apiKey), on(other.url, apiKey)];
    const key = { ref: refOf(t), id };
    const expectAll = async (status: number, code?: string) => {
      for (const client of clients) {
        const { status: actual, body } = await client.get('/usage');
        expect({ status: actual, code: body.error?.code }).toEqual({ status, code });
      }
    };
    await expectAll(200);
    await changeKey(t.control, key, { scopes: ['users:read'] });
    await expectAll(403, 'scope_missing');
    await changeKey(t.control, key, { scopes: ['usage:read'], addresses: ['192.0.2.1'] });
    await expectAll(403, 'address_not_allowed');
    await changeKey(t.control, key, { addresses: [] });
    await expectAll(200);
    await deleteKey(t.control, key);
    await expectAll(401, 'invalid_credentials');
  });

  test('time: an expired key is told so', async () => {
    const { id, client } = await newKey(t, ['usage:read'], { expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await client.get('/usage')).status).toBe(200);
    const expiresAt = new Date(Date.now() + 300);
    await changeKey(t.control, { ref: refOf(t), id }, { expiresAt });
    await expect.poll(async () => (await client.get('/usage')).status).toBe(401);
    const reply = await client.get('/usage');
    expect(reply).toFailWith(401, 'api_key_expired');
    expect(reply.body.error.details).toEqual({ expiresAt: expiresAt.toISOString() });
    // A refused credential costs the project nothing.
    expect(reply.headers.get('x-ratelimit-limit')).toBe(String(t.config.ADDRESS_RATE_LIMIT));
  });

  test('an address that is on its list, in whatever form', async () => {
    const { client } = await newKey(t, ['usage:read'], { addresses: ['10.0.0.0/8', '2001:db8::/32'] });
    const from = async (address: string) => {
      const { status, body } = await client.get('/usage', { headers: { 'x-forwarded-for': address } });
      return status === 200 ? 200 : body.error.code;
    };
    for (const inside of ['10.9.8.7', '::ffff:10.9.8.7', '::ffff:0a09:0807', '2001:db8:1::1'])
      expect(await from(inside), inside).toBe(200);
    for (const outside of ['11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '::1', 'nonsense'])
      expect(await from(outside), outside).toBe('address_not_allowed');
    expect(await client.get('/usage')).toFailWith(403, 'address_not_allowed');
  });

  test('room in the same share of calls as the API key', async () => {
    const { client } = await newKey(t, ['usage:read']);
    const [own, api] = await inOneWindow(
      20_000,
      async () => [await client.get('/usage'), await t.api.get('/usage')] as const,
    );
    expect(own.headers.get('x-ratelimit-limit')).toBe(api.headers.get('x-ratelimit-limit'));
    const left = (reply: { headers: Headers }) => Number(reply.headers.get('x-ratelimit-remaining'));
    expect(left(api)).toBeLessThan(left(own));
  });

  test('it may come as a bearer, and beside a user’s token', async () => {
    const { apiKey } = await newKey(t, ['usage:read', 'users:read']);
    expect((await new Client(t.url, { authorization: `Bearer ${apiKey}` }).get('/usage')).status).toBe(200);
    const { token, id } = await newPerson(t);
    const both = on(t.url, apiKey, { authorization: `Bearer ${token}` });
    expect((await both.get('/auth-collections/user')).body.data.id).toBe(id);
    const twoKeys = on(t.url, apiKey, { authorization: `Bearer ${t.projects[0].apiKey}` });
    expect(await twoKeys.get('/usage')).toFailWith(401, 'invalid_credentials');
  });
});

describe('keys in browsers', () => {
  const page = 'https://app.example.com';

  test('they are answered and remembered, or refused where the project says so', async () => {
    await using t = await testApp();
    const { ref, apiKey } = t.projects[0];
    const { id, apiKey: further } = await newKey(t, ['usage:read']);
    await setOrigins(t.control, ref, [page]);
    const calls = [on(t.url, apiKey, { origin: page }), on(t.url, further, { origin: page })];
    for (const call of calls) expect((await call.get('/usage')).status).toBe(200);
    await setBrowserKeys(t.control, ref, 'refuse');
    for (const call of calls) {
      const reply = await call.get('/usage');
      expect(reply).toFailWith(403, 'key_in_browser');
      // The page can read why.
      expect(reply.headers.get('access-control-allow-origin')).toBe(page);
    }
    // Servers, users, and the pages of the service itself are as before.
    for (const key of [apiKey, further]) {
      expect((await on(t.url, key).get('/usage')).status).toBe(200);
      expect((await on(t.url, key, { origin: t.url }).get('/usage')).status).toBe(200);
    }
    const { token } = await newPerson(t);
    const user = new Client(t.url, { authorization: `Bearer ${token}`, origin: page });
    expect((await user.get('/auth-collections/user')).status).toBe(200);
    await t.app.stop();
    const [kept] = (await listKeys(t.control, ref)).filter((key) => key.id === id);
    const project = await getProject(t.control, ref);
    for (const at of [kept!.inBrowserAt, kept!.usedAt, project.keyInBrowserAt])
      expect(Date.now() - at!.getTime()).toBeLessThan(120_000);
  });

  test('calls of servers and of the service’s own pages are not taken for them', async () => {
    await using t = await testApp();
    const { ref, apiKey } = t.projects[0];
    const { apiKey: further, id } = await newKey(t, ['usage:read']);
    for (const key of [apiKey, further]) {
      await on(t.url, key).get('/usage');
      await on(t.url, key, { origin: t.url }).get('/usage');
      await on(t.url, key, { origin: page, 'sec-fetch-site': 'same-origin' }).get('/usage');
    }
    await t.app.stop();
    const [kept] = (await listKeys(t.control, ref)).filter((key) => key.id === id);
    expect(kept).toMatchObject({ inBrowserAt: null, usedAt: expect.any(Date) });
    expect((await getProject(t.control, ref)).keyInBrowserAt).toBeNull();
  });
});

test('the last use of many keys is written together, and not with each call', async () => {
  await using t = await testApp();
  const keys = await Promise.all(Array.from({ length: 20 }, () => newKey(t, ['usage:read'])));
  const written = async () => {
    const { rows } = await t.cells
      .pool(1)
      .query<{ n: string }>(`SELECT n_tup_upd AS n FROM pg_stat_user_tables WHERE relname = 'api_keys'`);
    return Number(rows[0]?.n);
  };
  for (let round = 0; round < 5; round += 1)
    await Promise.all(keys.map(({ client }) => client.get('/usage')));
  await t.app.stop();
  const listed = await listKeys(t.control, t.projects[0].ref);
  expect(listed.every(({ usedAt }) => usedAt !== null)).toBe(true);
  await expect.poll(written).toBe(20);
});
