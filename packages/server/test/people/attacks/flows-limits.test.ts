// @postgres newest
// @needs redis
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { Client, type Reply } from '../../support/client.ts';
import { doorAt, type FlowProject, flowProject, newPhone, signUpAt } from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';
import { newEmail, type Person } from '../../support/people/people.ts';
import { startRedis } from '../../support/redis.ts';

const block = Math.floor(Math.random() * 60_000);
let nextAddress = 0;
/** An address nobody has called from in this minute. */
function newAddress(): string {
  nextAddress += 1;
  return `10.${block >> 8}.${block & 255}.${nextAddress % 250}`;
}
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const path = (name: string) => `/auth-collections/${name}`;

type Call = (n: number) => Promise<Reply>;

/** Makes the calls one after the other. */
async function repeat(count: number, call: Call): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let n = 0; n < count; n += 1) replies.push(await call(n));
  return replies;
}

/** Replies of a single minute, in which the counters were there: they are away if Redis is slow, as on a busy machine. */
const counted = (work: () => Promise<Reply[]>): Promise<Reply[]> =>
  inOneWindow(10_000, work, (replies) => replies.every(({ status }) => status !== 503));

/** How many passed before the first 429, which must have all that one has. */
function passedIn(replies: readonly Reply[]): number {
  const passed = replies.findIndex(({ status }) => status === 429);
  for (const { status, body, headers } of passed === -1 ? [] : replies.slice(passed)) {
    expect({ status, body }).toFailWith(429, 'rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
  expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  return passed === -1 ? replies.length : passed;
}

/** How many calls pass for somebody who has not called in this minute. */
const passedOf = async (count: number, begin: () => Call | Promise<Call>): Promise<number> =>
  passedIn(await counted(async () => repeat(count, await begin())));

const configs = { ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true };

describe('A4: tries and mails for one account', () => {
  let t: MailApp;
  let project: FlowProject;
  let doors: Client[];
  let urls: string[];
  beforeAll(async () => {
    t = await mailApp({
      AUTH_ACCOUNT_LIMIT: '5',
      TRUST_PROXY: '127.0.0.1',
      // A corner of Redis of its own: other tests count there too.
      REDIS_URL: `${inject('redisUrl')}/11`,
    });
    urls = [t.url, (await t.node()).url];
    project = await flowProject(t, { configs });
    doors = urls.map((url) => doorAt(project, url));
  });
  afterAll(() => t[Symbol.asyncDispose]());

  const open: Record<string, (account: string, n: number) => object> = {
    'forgot-password': (email, n) => ({ email: [email, email.toUpperCase(), ` ${email} `][n % 3] }),
    'phone/send-code': (phone, n) => ({ phone: spelled(phone, n), channel: 'email' }),
    'phone/login': (phone, n) => ({ phone: spelled(phone, n), code: `00000${n}` }),
  };
  const spelled = (phone: string, n: number) =>
    [phone, phone.replace('+', '00'), phone.replace('+4917', '+49 (17) ')][n % 3];

  test('A4: are 429 past the limit at every flow, whatever the address, the node and the spelling; for unknown ones too', async () => {
    const accounts: Record<string, (name: string) => Promise<string>> = {
      known: async (name) => {
        const { id, email } = await signUpAt(t, project);
        const phone = newPhone();
        await project.api.patch(path(`users/${id}`), { phone });
        return name === 'forgot-password' ? email : phone;
      },
      unknown: async (name) => (name === 'forgot-password' ? newEmail() : newPhone()),
    };
    for (const [name, body] of Object.entries(open)) {
      for (const [kind, newAccount] of Object.entries(accounts)) {
        const passed = await passedOf(8, async () => {
          const account = await newAccount(name);
          return (n) => doors[n % 2]!.post(path(name), body(account, n), from(newAddress()));
        });
        expect([name, kind, passed]).toEqual([name, kind, 5]);
      }
    }
  });

  const signedIn: Record<string, object> = {
    'verify-email/send': {},
    'phone/verify': { phone: '+491701234567', code: '000000' },
    '2fa/totp/setup': { password: 'wrong horse' },
    '2fa/totp/confirm': { code: '000000' },
    '2fa/totp/remove': { code: '000000', password: 'wrong horse' },
    '2fa/recovery-codes': { code: '000000', password: 'wrong horse' },
  };
  test('A4: are 429 past the limit for a signed-in user at every flow', async () => {
    for (const [name, body] of Object.entries(signedIn)) {
      const passed = await passedOf(8, async () => {
        const { token } = await signUpAt(t, project);
        const calls = urls.map((url) => new Client(url, { authorization: `Bearer ${token}` }));
        return (n) => calls[n % 2]!.post(path(name), body, from(newAddress()));
      });
      expect([name, passed]).toEqual([name, 5]);
    }
  });

  test('A4: at several flows of a signed-in user are one count', async () => {
    const names = Object.keys(signedIn);
    const passed = await passedOf(8, async () => {
      const { me } = await signUpAt(t, project);
      return (n) => me.post(path(names[n % names.length]!), signedIn[names[n % names.length]!]);
    });
    expect(passed).toBe(5);
  });

  test('A4: for a login and a forgotten password are one count: neither gives tries to the other', async () => {
    const passed = await passedOf(8, async () => {
      const { email } = await signUpAt(t, project);
      return (n) =>
        n % 2 === 0
          ? project.door.post(path('forgot-password'), { email }, from(newAddress()))
          : project.door.post(path('login'), { email, password: 'wrong horse' }, from(newAddress()));
    });
    expect(passed).toBe(5);
  });

  test('N1: a query, a slash, another case, a method override and a key do not make another bucket', async () => {
    const passed = await passedOf(7, () => {
      const email = newEmail();
      const forms: [string, Record<string, string>][] = [
        ['forgot-password', {}],
        ['forgot-password?x=1', {}],
        ['forgot-password/', {}],
        ['forgot-password?email=other@example.com', {}],
        ['forgot-password', { 'x-http-method-override': 'GET' }],
        ['forgot-password', { 'idempotency-key': `one ${email}` }],
        ['forgot-password', { 'idempotency-key': `two ${email}` }],
      ];
      return (n) =>
        project.door.post(
          path(forms[n]![0]),
          { email },
          { headers: { ...forms[n]![1], 'x-forwarded-for': newAddress() } },
        );
    });
    expect(passed).toBe(5);
  });

  test('A4: of one project do not count in another', async () => {
    const elsewhere = await flowProject(t);
    const replies = await counted(() => {
      const email = newEmail();
      return repeat(8, (n) =>
        (n < 7 ? project : elsewhere).door.post(path('forgot-password'), { email }, from(newAddress())),
      );
    });
    expect(passedIn(replies.slice(0, 7))).toBe(5);
    expect(replies[7]!.status).toBe(200);
  });
});

describe('A4: tries and mails from one address', () => {
  let t: MailApp;
  let project: FlowProject;
  let person: Person;
  let doors: Client[];
  beforeAll(async () => {
    t = await mailApp({
      AUTH_ADDRESS_LIMIT: '6',
      TRUST_PROXY: '127.0.0.1',
      REDIS_URL: `${inject('redisUrl')}/12`,
    });
    project = await flowProject(t, { configs });
    doors = [project.door, doorAt(project, (await t.node()).url)];
    // From elsewhere: what the tests count begins at nothing.
    person = await signUpAt(t, {
      ...project,
      door: new Client(project.door.baseUrl, from(newAddress()).headers),
    });
  });
  afterAll(() => t[Symbol.asyncDispose]());

  const calls: Record<string, () => object> = {
    'forgot-password': () => ({ email: newEmail() }),
    'reset-password': () => ({ token: crypto.randomUUID(), new_password: 'another horse' }),
    'verify-email': () => ({ token: crypto.randomUUID() }),
    '2fa/verify': () => ({ challenge: crypto.randomUUID(), code: '000000' }),
    '2fa/resend': () => ({ challenge: crypto.randomUUID() }),
    exchange: () => ({ code: crypto.randomUUID(), redirect_uri: 'https://app.example.com' }),
    'phone/send-code': () => ({ phone: newPhone(), channel: 'email' }),
    'phone/login': () => ({ phone: newPhone(), code: '000000' }),
  };

  test('A4: are 429 past the limit at every flow, whatever the account and the node', async () => {
    for (const [name, body] of Object.entries(calls)) {
      const passed = await passedOf(9, () => {
        const address = newAddress();
        return (n) => doors[n % 2]!.post(path(name), body(), from(address));
      });
      expect([name, passed]).toEqual([name, 6]);
    }
  });

  test('A4: at several flows are one count, and with a token too', async () => {
    const names = Object.keys(calls);
    const replies = await counted(async () => {
      const address = from(newAddress());
      const tries = await repeat(9, (n) =>
        doors[n % 2]!.post(path(names[n % names.length]!), calls[names[n % names.length]!]!(), address),
      );
      const withToken = await person.me.post(path('verify-email/send'), undefined, address);
      return [...tries, withToken, await person.me.get(path('user'), address)];
    });
    expect(passedIn(replies.slice(0, 9))).toBe(6);
    expect(replies[9]!.status).toBe(429);
    expect(replies[10]!.status, 'what is no try goes on').toBe(200);
  });

  test('N1: X-Forwarded-For is believed only where TRUST_PROXY says so', async () => {
    const ask = (door: Client, addresses: string) =>
      door.post(path('forgot-password'), { email: newEmail() }, from(addresses));
    // Both count as the one address that they are called from: in a Redis where it has not called yet.
    const replies = await counted(async () => {
      const redis = await startRedis();
      const nodes = [
        await t.node({ TRUST_PROXY: '', REDIS_URL: redis.url }),
        await t.node({ TRUST_PROXY: '192.0.2.1', REDIS_URL: redis.url }),
      ];
      try {
        return await repeat(9, (n) => ask(doorAt(project, nodes[n % 2]!.url), newAddress()));
      } finally {
        for (const { app } of nodes) await app.stop();
        await redis.stop();
      }
    });
    expect(passedIn(replies)).toBe(6);
    // Of several addresses the one that the proxy has added counts, not those that a caller put before it.
    const forged = await passedOf(9, () => {
      const real = newAddress();
      return () => ask(project.door, `${newAddress()}, ${real}`);
    });
    expect(forged).toBe(6);
  });

  test('A4: while the counters are away no flow is tried: they fail shut', async () => {
    const away = doorAt(project, (await t.node({ REDIS_URL: 'redis://127.0.0.1:1' })).url);
    for (const [name, body] of Object.entries(calls)) {
      const reply = await away.post(path(name), body());
      expect(reply, name).toFailWith(503, 'engine_unavailable');
    }
  });
});
