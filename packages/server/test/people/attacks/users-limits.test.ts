// @postgres newest
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { roomInWindow } from '../../support/calls/rate-window.ts';
import { Client, type Reply } from '../../support/client.ts';
import { isMissing } from '../../support/is-missing.ts';
import { bearing, doorOf, newEmail, newPerson } from '../../support/people/people.ts';
import { type TestApp, testApp } from '../../support/test-app.ts';

let t: TestApp;
let door: Client;
async function start(overrides: Record<string, string>): Promise<void> {
  t = await testApp({ TRUST_PROXY: '127.0.0.1', ...overrides });
  door = doorOf(t);
}
afterEach(() => t[Symbol.asyncDispose]());

const block = Math.floor(Math.random() * 60_000);
let nextAddress = 0;
/** An address nobody has called from in this minute. */
function newAddress(): string {
  nextAddress += 1;
  return `10.${block >> 8}.${block & 255}.${nextAddress}`;
}
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const logIn = (email: string, address: string, client = door, password = 'wrong horse') =>
  client.post('/auth-collections/login', { email, password }, from(address));
const codes = (replies: readonly Reply[]) => replies.map(({ status }) => status);
const repeat = async (count: number, call: (n: number) => Promise<Reply>): Promise<Reply[]> => {
  const replies: Reply[] = [];
  for (let n = 0; n < count; n += 1) replies.push(await call(n));
  return replies;
};

describe.skipIf(isMissing('redis'))('A4: tries for one account', () => {
  // A corner of Redis of its own: other tests count there too.
  beforeEach(() => start({ AUTH_ACCOUNT_LIMIT: '5', REDIS_URL: `${inject('redisUrl')}/7` }));

  test('are 429 past the limit whatever the address, the node and the spelling of the e-mail', async () => {
    const { email, password } = await newPerson(t);
    const other = doorOf(t, 0, (await t.node()).url);
    await roomInWindow(10_000);
    const spelled = [email, email.toUpperCase(), ` ${email} `];
    const replies = await repeat(8, (n) => logIn(spelled[n % 3]!, newAddress(), n % 2 ? other : door));
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = replies.at(-1)!;
    expect(refused).toFailWith(429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The right password does not help now, or guessing would go on.
    expect((await logIn(email, newAddress(), door, password)).status).toBe(429);
  });

  test('are counted for unknown e-mails too, so that the limit does not tell who has an account', async () => {
    await roomInWindow(10_000);
    const email = newEmail();
    const replies = await repeat(6, () => logIn(email, newAddress()));
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('are counted with an Idempotency-Key too: one that was used is no way to try passwords', async () => {
    const { email, password } = await newPerson(t);
    const guess = (tried: string) =>
      door.post(
        '/auth-collections/login',
        { email, password: tried },
        {
          headers: { 'idempotency-key': 'login-1', 'x-forwarded-for': newAddress() },
        },
      );
    await roomInWindow(10_000);
    expect((await guess(password)).status).toBe(200);
    const replies = await repeat(6, (n) => guess(`wrong horse ${n}`));
    expect(codes(replies)).toEqual([401, 401, 401, 401, 429, 429]);
  });

  test('of one project do not count in another', async () => {
    const email = newEmail();
    await roomInWindow(10_000);
    await repeat(6, () => logIn(email, newAddress()));
    expect((await logIn(email, newAddress(), doorOf(t, 1))).status).toBe(401);
  });

  test('with the old password, or the current one for an e-mail change, are one count', async () => {
    const { me } = await newPerson(t);
    await roomInWindow(10_000);
    const replies = await repeat(6, (n) =>
      n % 2 === 0
        ? me.post('/auth-collections/change-password', {
            old_password: 'wrong horse',
            new_password: 'new horse 1',
          })
        : me.patch('/auth-collections/user', { email: newEmail(), password: 'wrong horse' }),
    );
    expect(codes(replies)).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await me.get('/auth-collections/user')).status).toBe(200);
  });
});

describe('A4: tries from one address', () => {
  beforeEach(() => start({ AUTH_ADDRESS_LIMIT: '6' }));

  test('are 429 past the limit whatever the account: logins and sign-ups together', async () => {
    const address = newAddress();
    await roomInWindow(10_000);
    const replies = await repeat(8, (n) =>
      n % 2 === 0
        ? logIn(newEmail(), address)
        : door.post(
            '/auth-collections/signup',
            { email: newEmail(), password: 'correct horse' },
            from(address),
          ),
    );
    expect(codes(replies)).toEqual([401, 201, 401, 201, 401, 201, 429, 429]);
    expect((await logIn(newEmail(), newAddress())).status).toBe(401);
  });

  test('of IPv6 count by network: one host has as many addresses as it likes', async () => {
    const network = `2001:db8:${block.toString(16)}:1`;
    await roomInWindow(10_000);
    const replies = await repeat(8, (n) => logIn(newEmail(), `${network}::${n + 1}`));
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    expect((await logIn(newEmail(), `2001:db8:${block.toString(16)}:2::1`)).status).toBe(401);
  });

  test('cannot be spread by forging X-Forwarded-For where no proxy is trusted', async () => {
    const { url } = await t.node({ TRUST_PROXY: '' });
    await roomInWindow(10_000);
    const replies = await repeat(8, () => logIn(newEmail(), newAddress(), doorOf(t, 0, url)));
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });

  test('a limited address still reads with its token and its key', async () => {
    const { me } = await newPerson(t);
    const address = newAddress();
    await roomInWindow(10_000);
    await repeat(7, () => logIn(newEmail(), address));
    expect((await me.get('/auth-collections/user', from(address))).status).toBe(200);
    expect((await t.api.get('/auth-collections/users', from(address))).status).toBe(200);
  });
});

test('A4: while the counters are away no password can be tried, and all else goes on', async () => {
  await start({});
  const { token, email, password } = await newPerson(t);
  await t.api.post('/collections', { name: 'posts' });
  const { body: made } = await t.api.post('/collections/posts', { title: 'still there' });
  // Nothing listens there.
  const { url } = await t.node({ REDIS_URL: 'redis://127.0.0.1:1' });
  const away = doorOf(t, 0, url);
  const me = bearing(t, token, url);
  const refused = [
    await away.post('/auth-collections/login', { email, password }),
    await away.post('/auth-collections/login', { email, password: 'wrong horse' }),
    await away.post('/auth-collections/signup', { email: newEmail(), password }),
    await me.post('/auth-collections/change-password', { old_password: password, new_password: 'new horse' }),
    await me.patch('/auth-collections/user', { email: newEmail(), password }),
  ];
  for (const { status, body, headers } of refused) {
    expect({ status, body }).toFailWith(503, 'engine_unavailable');
    expect(headers.get('retry-after')).toBe('1');
  }
  const server = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  expect((await server.get(`/collections/posts/${made.data.id}`)).body.data.title).toBe('still there');
  expect((await server.get('/auth-collections/users')).body.total).toBe(1);
  expect((await me.get('/auth-collections/user')).body.data.email).toBe(email);
  expect((await me.patch('/auth-collections/user', { data: { a: 1 } })).status).toBe(200);
});
