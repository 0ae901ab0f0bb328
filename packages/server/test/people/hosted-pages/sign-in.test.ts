// @postgres newest
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn } from '../../support/mail-server.ts';
import { hiddenIn, type ShownPage } from '../../support/people/visitor.ts';
import { exchange, type PageWorld, type Person, pageWorld, setUpAuthenticator } from './world.ts';

let w: PageWorld;
beforeAll(async () => {
  w = await pageWorld({}, { ENABLE_PHONE_LOGIN: 'true' });
});
afterAll(() => w[Symbol.asyncDispose]());

const callback = (path = '/callback') => `${w.appOrigin}${path}`;
const query = (more: Record<string, string> = {}) =>
  new URLSearchParams({ redirect_uri: callback(), ...more }).toString();
const openLogin = (more: Record<string, string> = {}) => w.visitor.open(`login?${query(more)}`);
const signIn = async ({ email, password }: Person, more: Record<string, string> = {}) =>
  w.visitor.send(await openLogin(more), { email, password });
const targetOf = ({ status, headers }: ShownPage) => {
  expect(status).toBe(303);
  return headers.location!;
};
const wrongCode = 'This code is wrong or has expired. Check it, or request a new one.';

describe('a hosted sign-in', () => {
  test('leads back to the app with the state and a code that is valid for one token', async () => {
    const person = await w.newPerson();
    const location = targetOf(await signIn(person, { state: 'a b&c=d/é' }));
    const called = new URL(location);
    expect(called.origin + called.pathname).toBe(callback());
    expect([...called.searchParams.keys()].toSorted()).toEqual(['code', 'state']);
    expect(called.searchParams.get('state')).toBe('a b&c=d/é');
    expect(await exchange(w.door, location)).toEqual({ status: 200, email: person.email });
    expect((await exchange(w.door, location)).status).toBe(400);
  });

  test('O2, O5: the code is for this project, this address and, with PKCE, this app only', async () => {
    const person = await w.newPerson();
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const proven = { code_challenge: challenge, code_challenge_method: 'S256' };
    const trade = async (more: Record<string, string>, door = w.door) =>
      (await exchange(door, targetOf(await signIn(person, proven)), more)).status;
    expect(await trade({ code_verifier: verifier })).toBe(200);
    expect(await trade({ code_verifier: `${verifier}x` })).toBe(400);
    expect(await trade({})).toBe(400);
    expect(await trade({ code_verifier: verifier, redirect_uri: callback('/other') })).toBe(400);
    const location = targetOf(await signIn(person));
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(w.door, location)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('A1: a wrong password and an unknown address are one answer, with the address kept', async () => {
    const { email } = await w.newPerson();
    const wrong = await w.visitor.send(await openLogin(), { email, password: 'wrong horse' });
    const unknown = await w.visitor.send(await openLogin(), {
      email: 'x@example.com',
      password: 'wrong horse',
    });
    expect({ status: wrong.status, problem: wrong.problem }).toEqual({
      status: 401,
      problem: 'Wrong email address or password.',
    });
    expect(unknown.text).toBe(wrong.text.replace(email, 'x@example.com'));
  });

  test('a suspended account is told so, after the right password only', async () => {
    const person = await w.newPerson();
    const admin = await w.administer(`users/${person.id}`, { suspended: true });
    expect(admin).toBe(200);
    expect((await signIn({ ...person, password: 'wrong horse' })).status).toBe(401);
    const page = await signIn(person);
    expect({ status: page.status, heading: page.heading }).toEqual({
      status: 403,
      heading: 'This account is suspended',
    });
  });

  test('what a redirect_uri brings along as code or state is not taken for ours', async () => {
    const person = await w.newPerson();
    const planted = callback('/callback?code=planted&state=planted&keep=1&code=twice');
    const page = await w.visitor.open(`login?${new URLSearchParams({ redirect_uri: planted }).toString()}`);
    const { email, password } = person;
    const called = new URL(targetOf(await w.visitor.send(page, { email, password })));
    expect(called.searchParams.getAll('code')).toHaveLength(1);
    expect(called.searchParams.get('code')).not.toBe('planted');
    expect(called.searchParams.getAll('state')).toEqual([]);
    expect(called.searchParams.get('keep')).toBe('1');
  });
});

describe('O3: a sign-in leads to the project’s origins only', () => {
  const refused: Record<string, () => string> = {
    'another origin': () => 'https://evil.example/callback',
    'a longer host': () => `${w.appOrigin}.evil.example/`,
    'another port': () => `${w.appOrigin}1/`,
    'a user in front': () => w.appOrigin.replace('//', '//evil@'),
    'the origin as a user': () => `${w.appOrigin}@evil.example/`,
    'no scheme': () => w.appOrigin.replace('http:', ''),
    'a backslash': () => `${w.appOrigin}\\@evil.example`,
    script: () => 'javascript:alert(1)//',
    data: () => 'data:text/html,hello',
    'a relative address': () => '/callback',
    nothing: () => '',
    'a line break': () => `${w.appOrigin}/\r\nLocation: https://evil.example`,
    'another address inside': () => `${w.appOrigin}//evil.example/%2f..`,
  };
  test.each(Object.entries(refused))('%s', async (_name, address) => {
    const told = { status: 400, heading: 'This sign-in is not fully set up' };
    for (const name of ['login', 'phone']) {
      const page = await w.visitor.open(
        `${name}?${new URLSearchParams({ redirect_uri: address() }).toString()}`,
      );
      expect({ status: page.status, heading: page.heading }).toEqual(told);
    }
    const { email, password } = await w.newPerson();
    const sent = await w.visitor.send(await openLogin(), { email, password, redirect_uri: address() });
    expect({ status: sent.status, heading: sent.heading }).toEqual(told);
    expect(sent.headers.location).toBeUndefined();
    expect(sent.headers['content-security-policy']).not.toContain('evil');
  });

  test('without one it is FRONTEND_URL; without that the developer is told what is missing', async () => {
    const untold = await w.visitor.open('login');
    expect(untold.status).toBe(400);
    expect(untold.text).toContain('redirect_uri');
    expect(untold.text).toContain('FRONTEND_URL');
    await w.configure({ FRONTEND_URL: 'https://www.example.com/start?a=1' });
    const person = await w.newPerson();
    const { email, password } = person;
    const location = targetOf(await w.visitor.send(await w.visitor.open('login'), { email, password }));
    expect(location).toMatch(/^https:\/\/www\.example\.com\/start\?a=1&code=[\w-]+$/);
    const traded = await exchange(w.door, location, { redirect_uri: 'https://www.example.com/start?a=1' });
    expect(traded).toEqual({ status: 200, email });
    await w.configure({ FRONTEND_URL: null });
  });

  test('a challenge or state that cannot be right is told to the developer', async () => {
    for (const more of [
      { code_challenge: 'short' },
      { code_challenge: 'x'.repeat(44) },
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      { state: 'x'.repeat(513) },
    ]) {
      expect((await openLogin(more as Record<string, string>)).status).toBe(400);
    }
  });
});

describe('a second step', () => {
  beforeAll(() => w.configure({ ENABLE_2FA: 'true', OTP_LENGTH: '8' }));
  afterAll(() => w.configure({ ENABLE_2FA: 'false', OTP_LENGTH: '6' }));

  const mailedCode = async ({ email }: Person) => {
    const code = codeIn(await w.mail.mailTo(email));
    w.mail.forget();
    return code;
  };

  test('asks for the mailed code, of the length that the project has set', async () => {
    const person = await w.newPerson();
    const page = await signIn(person, { state: 'kept' });
    expect({ status: page.status, heading: page.heading }).toEqual({
      status: 200,
      heading: 'Enter the code',
    });
    expect(page.text).toMatch(
      /autocomplete="one-time-code"[^>]* minlength="8" maxlength="8"[^>]* inputmode="numeric"/,
    );
    const code = await mailedCode(person);
    const wrong = await w.visitor.send(page, { code: code === '00000000' ? '11111111' : '00000000' });
    expect({ status: wrong.status, problem: wrong.problem }).toEqual({ status: 400, problem: wrongCode });
    const location = targetOf(
      await w.visitor.send(wrong, { code: ` ${code.slice(0, 4)} ${code.slice(4)} ` }),
    );
    expect(new URL(location).searchParams.get('state')).toBe('kept');
    expect(await exchange(w.door, location)).toEqual({ status: 200, email: person.email });
  });

  test('sends a new code when asked; the one before ends', async () => {
    const person = await w.newPerson();
    const page = await signIn(person);
    const first = await mailedCode(person);
    const again = await w.visitor.send(page, { code: '' }, { button: 'Send a new code' });
    expect(again.text).toContain('A new code is on its way.');
    const second = await mailedCode(person);
    if (second !== first) expect((await w.visitor.send(again, { code: first })).problem).toBe(wrongCode);
    targetOf(await w.visitor.send(again, { code: second }));
  });

  test('O1: five tries a code, then the sign-in starts again', async () => {
    const person = await w.newPerson();
    let page = await signIn(person);
    const code = await mailedCode(person);
    const wrong = code === '00000000' ? '11111111' : '00000000';
    for (let tries = 0; tries < 5; tries += 1) page = await w.visitor.send(page, { code: wrong });
    const ended = await w.visitor.send(page, { code });
    expect({ status: ended.status, heading: ended.heading }).toEqual({
      status: 400,
      heading: 'This sign-in has expired',
    });
    const again = /<a class="button" href="([^"]*)"/.exec(ended.text)![1]!.replaceAll('&amp;', '&');
    const start = await w.visitor.open(new URL(again, ended.url).href);
    expect(start.heading).toBe('Sign in');
    expect(hiddenIn(start.text).redirect_uri).toBe(callback());
  });

  test('takes a code of an authenticator app, or a recovery code once', async () => {
    const person = await w.newPerson();
    const { codeAt, recoveryCodes } = await setUpAuthenticator(person);
    const page = await signIn(person);
    expect(page.text).toContain('Open your authenticator app');
    expect(page.text).not.toContain('Send a new code');
    const spaced = codeAt(30).replace(/^(...)/, '$1 ');
    const location = targetOf(await w.visitor.send(page, { code: spaced }));
    expect(await exchange(w.door, location)).toEqual({ status: 200, email: person.email });
    const recovery = { recovery_code: recoveryCodes[0]!.toUpperCase() };
    targetOf(await w.visitor.send(await signIn(person), recovery));
    const used = await w.visitor.send(await signIn(person), recovery);
    expect({ status: used.status, problem: used.problem }).toEqual({
      status: 400,
      problem: 'This code is wrong or has already been used. Check it, or wait for the next one.',
    });
    expect(used.text).toContain('<details open>');
  });

  test('what is carried from page to page opens nothing: without a challenge there is no sign-in', async () => {
    const person = await w.newPerson();
    await signIn(person);
    for (const challenge of ['', 'x', person.id]) {
      const body = query({ challenge, methods: 'totp recovery_code', code: '123456' });
      expect((await w.visitor.post('pages/second-step', body)).heading).toBe('This sign-in has expired');
    }
  });
});

describe('a sign-in by phone', () => {
  const openPhone = (more: Record<string, string> = {}) => w.visitor.open(`phone?${query(more)}`);
  const newPhone = async () => {
    const person = await w.newPerson();
    expect(await w.administer(`users/${person.id}`, { phone: person.phone })).toBe(200);
    return person;
  };

  test('sends a code and leads back to the app', async () => {
    const person = await newPhone();
    const spaced = `${person.phone.slice(0, 3)} (${person.phone.slice(3, 6)}) ${person.phone.slice(6)}`;
    const page = await w.visitor.send(await openPhone({ state: 'kept' }), { phone: spaced });
    expect(page.heading).toBe('Enter the code');
    const code = codeIn(await w.mail.mailTo(person.email));
    const location = targetOf(await w.visitor.send(page, { code }));
    expect(new URL(location).searchParams.get('state')).toBe('kept');
    expect(await exchange(w.door, location)).toEqual({ status: 200, email: person.email });
  });

  test('A2: continues in the same way whether or not the number is known, and answers a wrong code the same', async () => {
    const { phone } = await newPhone();
    const other = '+4915000000000';
    const ask = async (phone: string) => w.visitor.send(await openPhone(), { phone });
    const [known, unknown] = [await ask(phone), await ask(other)];
    expect(unknown.text).toBe(known.text.replaceAll(phone, other));
    const [wrong, none] = [
      await w.visitor.send(known, { code: '0000000' }),
      await w.visitor.send(unknown, { code: '0000000' }),
    ];
    expect({ status: wrong.status, problem: wrong.problem }).toEqual({ status: 400, problem: wrongCode });
    expect(none.text).toBe(wrong.text.replaceAll(phone, other));
  });

  test('says beside the field what is wrong with a number', async () => {
    const page = await w.visitor.send(await openPhone(), { phone: '0151 12345678' });
    expect(page.status).toBe(400);
    expect(page.problem).toContain('Enter a phone number with the country code');
    expect(page.text).toContain('value="0151 12345678"');
  });

  test('is neither offered nor taken where the project has it off', async () => {
    expect((await openLogin()).text).toContain('Sign in with your phone');
    await w.configure({ ENABLE_PHONE_LOGIN: 'false' });
    expect((await openLogin()).text).not.toContain('Sign in with your phone');
    expect((await openPhone()).status).toBe(404);
    for (const name of ['phone', 'phone-code']) {
      expect((await w.visitor.post(`pages/${name}`, query({ phone: '+4915112345678' }))).status).toBe(404);
    }
    await w.configure({ ENABLE_PHONE_LOGIN: 'true' });
  });
});
