// @postgres newest
// @needs redis
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { roomInWindow } from '../../support/calls/rate-window.ts';
import { Client, type Reply } from '../../support/client.ts';
import { doorAt, type FlowProject, flowProject, newPhone, signUpAt } from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';
import { newEmail, type Person } from '../../support/people/people.ts';

const block = Math.floor(Math.random() * 60_000);
let nextAddress = 0;
/** An address nobody has called from in this minute. */
function newAddress(): string {
  nextAddress += 1;
  return `10.${block >> 8}.${block & 255}.${nextAddress % 250}`;
}
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const path = (name: string) => `/auth-collections/${name}`;

/** Makes the calls one after the other; how many passed before the first 429, which must have all that one has. */
async function passedOf(count: number, call: (n: number) => Promise<Reply>): Promise<number> {
  const replies: Reply[] = [];
  for (let n = 0; n < count; n += 1) replies.push(await call(n));
  const passed = replies.findIndex(({ status }) => status === 429);
  for (const { status, body, headers } of passed === -1 ? [] : replies.slice(passed)) {
    expect({ status, body }).toFailWith(429, 'rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
  expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  return passed === -1 ? count : passed;
}

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
    await roomInWindow(8000);
    for (const [name, body] of Object.entries(open)) {
      const person = await signUpAt(t, project);
      const phone = newPhone();
      await project.api.patch(path(`users/${person.id}`), { phone });
      const accounts = name === 'forgot-password' ? [person.email, newEmail()] : [phone, newPhone()];
      for (const account of accounts) {
        const passed = await passedOf(8, (n) =>
          doors[n % 2]!.post(path(name), body(account, n), from(newAddress())),
        );
        expect([name, passed]).toEqual([name, 5]);
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
    await roomInWindow(10_000);
    for (const [name, body] of Object.entries(signedIn)) {
      const { token } = await signUpAt(t, project);
      const calls = urls.map((url) => new Client(url, { authorization: `Bearer ${token}` }));
      const passed = await passedOf(8, (n) => calls[n % 2]!.post(path(name), body, from(newAddress())));
      expect([name, passed]).toEqual([name, 5]);
    }
  });

  test('A4: at several flows of a signed-in user are one count', async () => {
    const { me } = await signUpAt(t, project);
    await roomInWindow(5000);
    const names = Object.keys(signedIn);
    expect(
      await passedOf(8, (n) => me.post(path(names[n % names.length]!), signedIn[names[n % names.length]!])),
    ).toBe(5);
  });

  test('A4: for a login and a forgotten password are one count: neither gives tries to the other', async () => {
    const { email } = await signUpAt(t, project);
    await roomInWindow(5000);
    const passed = await passedOf(8, (n) =>
      n % 2 === 0
        ? project.door.post(path('forgot-password'), { email }, from(newAddress()))
        : project.door.post(path('login'), { email, password: 'wrong horse' }, from(newAddress())),
    );
    expect(passed).toBe(5);
  });

  test('N1: a query, a slash, another case, a method override and a key do not make another bucket', async () => {
    const email = newEmail();
    await roomInWindow(5000);
    const forms: [string, Record<string, string>][] = [
      ['forgot-password', {}],
      ['forgot-password?x=1', {}],
      ['forgot-password/', {}],
      ['forgot-password?email=other@example.com', {}],
      ['forgot-password', { 'x-http-method-override': 'GET' }],
      ['forgot-password', { 'idempotency-key': 'one' }],
      ['forgot-password', { 'idempotency-key': 'two' }],
    ];
    const passed = await passedOf(7, (n) =>
      project.door.post(
        path(forms[n]![0]),
        { email },
        { headers: { ...forms[n]![1], 'x-forwarded-for': newAddress() } },
      ),
    );
    expect(passed).toBe(5);
  });

  test('A4: of one project do not count in another', async () => {
    const email = newEmail();
    const elsewhere = await flowProject(t);
    await roomInWindow(5000);
    expect(
      await passedOf(7, () => project.door.post(path('forgot-password'), { email }, from(newAddress()))),
    ).toBe(5);
    expect((await elsewhere.door.post(path('forgot-password'), { email }, from(newAddress()))).status).toBe(
      200,
    );
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
    await roomInWindow(8000);
    for (const [name, body] of Object.entries(calls)) {
      const address = newAddress();
      const passed = await passedOf(9, (n) => doors[n % 2]!.post(path(name), body(), from(address)));
      expect([name, passed]).toEqual([name, 6]);
    }
  });

  test('A4: at several flows are one count, and with a token too', async () => {
    const address = newAddress();
    const names = Object.keys(calls);
    await roomInWindow(5000);
    const passed = await passedOf(9, (n) =>
      doors[n % 2]!.post(path(names[n % names.length]!), calls[names[n % names.length]!]!(), from(address)),
    );
    expect(passed).toBe(6);
    expect((await person.me.post(path('verify-email/send'), undefined, from(address))).status).toBe(429);
    expect((await person.me.get(path('user'), from(address))).status, 'what is no try goes on').toBe(200);
  });

  test('N1: X-Forwarded-For is believed only where TRUST_PROXY says so', async () => {
    const untrusting = doorAt(project, (await t.node({ TRUST_PROXY: '' })).url);
    const elsewhere = doorAt(project, (await t.node({ TRUST_PROXY: '192.0.2.1' })).url);
    await roomInWindow(6000);
    // Both count as the one address that they are called from.
    const passed = await passedOf(9, (n) =>
      [untrusting, elsewhere][n % 2]!.post(
        path('forgot-password'),
        { email: newEmail() },
        from(newAddress()),
      ),
    );
    expect(passed).toBe(6);
    // Of several addresses the one that the proxy has added counts, not those that a caller put before it.
    const real = newAddress();
    const forged = await passedOf(9, () =>
      project.door.post(path('forgot-password'), { email: newEmail() }, from(`${newAddress()}, ${real}`)),
    );
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
