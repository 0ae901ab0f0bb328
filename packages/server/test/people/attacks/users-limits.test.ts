// @postgres newest
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { inOneWindow } from '../../support/calls/rate-window.ts';
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
  return `10.${block >> 8}.${block & 255}.${nextAddress % 250}`;
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
/** Replies of a single minute, in which the counters were there: they are away if Redis is slow, as on a busy machine. */
const counted = (work: () => Promise<Reply[]>): Promise<Reply[]> =>
  inOneWindow(10_000, work, (replies) => replies.every(({ status }) => status !== 503));

describe.skipIf(isMissing('redis'))('A4: tries for one account', () => {
  // A corner of Redis of its own: other tests count there too.
  beforeEach(() => start({ AUTH_ACCOUNT_LIMIT: '5', REDIS_URL: `${inject('redisUrl')}/7` }));

  test('are 429 past the limit whatever the address, the node and the spelling of the e-mail', async () => {
    const other = doorOf(t, 0, (await t.node()).url);
    const replies = await counted(async () => {
      const { email, password } = await newPerson(t);
      const spelled = [email, email.toUpperCase(), ` ${email} `];
      const tries = await repeat(8, (n) => logIn(spelled[n % 3]!, newAddress(), n % 2 ? other : door));
      // The right password does not help now, or guessing would go on.
      return [...tries, await logIn(email, newAddress(), door, password)];
    });
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
    const refused = replies[7]!;
    expect(refused).toFailWith(429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('are counted for unknown e-mails too, so that the limit does not tell who has an account', async () => {
    const replies = await counted(() => {
      const email = newEmail();
      return repeat(6, () => logIn(email, newAddress()));
    });
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('are counted with an Idempotency-Key too: one that was used is no way to try passwords', async () => {
    const replies = await counted(async () => {
      const { email, password } = await newPerson(t);
      const guess = (tried: string) =>
        door.post(
          '/auth-collections/login',
          { email, password: tried },
          { headers: { 'idempotency-key': `login ${email}`, 'x-forwarded-for': newAddress() } },
        );
      return [await guess(password), ...(await repeat(6, (n) => guess(`wrong horse ${n}`)))];
    });
    expect(codes(replies)).toEqual([200, 401, 401, 401, 401, 429, 429]);
  });

  test('of one project do not count in another', async () => {
    const replies = await counted(async () => {
      const email = newEmail();
      const tries = await repeat(6, () => logIn(email, newAddress()));
      return [...tries, await logIn(email, newAddress(), doorOf(t, 1))];
    });
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 429, 401]);
  });

  test('with the old password, or the current one for an e-mail change, are one count', async () => {
    const replies = await counted(async () => {
      const { me } = await newPerson(t);
      const tries = await repeat(6, (n) =>
        n % 2 === 0
          ? me.post('/auth-collections/change-password', {
              old_password: 'wrong horse',
              new_password: 'new horse 1',
            })
          : me.patch('/auth-collections/user', { email: newEmail(), password: 'wrong horse' }),
      );
      return [...tries, await me.get('/auth-collections/user')];
    });
    expect(codes(replies)).toEqual([400, 400, 400, 400, 400, 429, 200]);
  });
});

describe('A4: tries from one address', () => {
  beforeEach(() => start({ AUTH_ADDRESS_LIMIT: '6' }));

  test('are 429 past the limit whatever the account: logins and sign-ups together', async () => {
    const replies = await counted(() => {
      const address = newAddress();
      return repeat(8, (n) =>
        n % 2 === 0
          ? logIn(newEmail(), address)
          : door.post(
              '/auth-collections/signup',
              { email: newEmail(), password: 'correct horse' },
              from(address),
            ),
      );
    });
    expect(codes(replies)).toEqual([401, 201, 401, 201, 401, 201, 429, 429]);
    expect((await logIn(newEmail(), newAddress())).status).toBe(401);
  });

  test('of IPv6 count by network: one host has as many addresses as it likes', async () => {
    let nextNetwork = 0;
    const newNetwork = () => {
      nextNetwork += 1;
      return `2001:db8:${block.toString(16)}:${nextNetwork.toString(16)}`;
    };
    const replies = await counted(async () => {
      const network = newNetwork();
      const tries = await repeat(8, (n) => logIn(newEmail(), `${network}::${n + 1}`));
      return [...tries, await logIn(newEmail(), `${newNetwork()}::1`)];
    });
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 401, 429, 429, 401]);
  });

  test('cannot be spread by forging X-Forwarded-For where no proxy is trusted', async () => {
    const replies = await counted(async () => {
      // It counts by itself, as there is no Redis: the address that it is called from has not called yet.
      const { url } = await t.node({ TRUST_PROXY: '' });
      return repeat(8, () => logIn(newEmail(), newAddress(), doorOf(t, 0, url)));
    });
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });

  test('a limited address still reads with its token and its key', async () => {
    const { me } = await newPerson(t);
    const replies = await counted(async () => {
      const address = newAddress();
      const tries = await repeat(7, () => logIn(newEmail(), address));
      const read = await me.get('/auth-collections/user', from(address));
      return [...tries, read, await t.api.get('/auth-collections/users', from(address))];
    });
    expect(codes(replies)).toEqual([401, 401, 401, 401, 401, 401, 429, 200, 200]);
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
