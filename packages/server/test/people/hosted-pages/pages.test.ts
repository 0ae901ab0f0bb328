// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, setOrigins } from '../../../src/features/control/projects/index.ts';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { linkIn } from '../../support/mail-server.ts';
import { newPhone } from '../../support/people/actors.ts';
import { type ShownPage, Visitor } from '../../support/people/visitor.ts';
import { type PageWorld, pageWorld } from './world.ts';

let w: PageWorld;
let redirect: string;
beforeAll(async () => {
  w = await pageWorld({ PUBLIC_URL: 'https://api.example.org' }, { ENABLE_PHONE_LOGIN: 'true' });
  redirect = `redirect_uri=${encodeURIComponent(`${w.appOrigin}/callback`)}`;
});
afterAll(() => w[Symbol.asyncDispose]());

/** Every page that can be reached without an account, by what it shows. */
const everyPage: Record<string, (visitor: Visitor, more?: string) => Promise<ShownPage>> = {
  'verify-email': (visitor, more = '') => visitor.open(`verify-email?token=abc${more}`),
  'verify-email, dead': (visitor, more = '') => visitor.post('pages/verify-email', `token=abc${more}`),
  'verify-email without a token': (visitor, more = '') => visitor.open(`verify-email?x=1${more}`),
  'reset-password': (visitor, more = '') => visitor.open(`reset-password?token=abc${more}`),
  'reset-password, too short': (visitor, more = '') =>
    visitor.post('pages/reset-password', `token=abc&new_password=short${more}`),
  'reset-password, dead': (visitor, more = '') =>
    visitor.post('pages/reset-password', `token=abc&new_password=long%20enough${more}`),
  'forgot-password': (visitor, more = '') => visitor.open(`forgot-password?x=1${more}`),
  'forgot-password, no address': (visitor, more = '') =>
    visitor.post('pages/forgot-password', `email=abc${more}`),
  'forgot-password, sent': (visitor, more = '') =>
    visitor.post('pages/forgot-password', `email=nobody%40example.com${more}`),
  login: (visitor, more = '') => visitor.open(`login?${redirect}${more}`),
  'login, wrong': (visitor, more = '') =>
    visitor.post('pages/login', `${redirect}&email=nobody%40example.com&password=wrong${more}`),
  'login, not set up': (visitor, more = '') => visitor.open(`login?x=1${more}`),
  'second step, expired': (visitor, more = '') =>
    visitor.post('pages/second-step', `${redirect}&challenge=abc&methods=email&code=123456${more}`),
  'second step, new code for nothing': (visitor, more = '') =>
    visitor.post('pages/second-step-code', `${redirect}&challenge=abc&methods=email${more}`),
  phone: (visitor, more = '') => visitor.open(`phone?${redirect}${more}`),
  'phone, no number': (visitor, more = '') => visitor.post('pages/phone', `${redirect}&phone=abc${more}`),
  'phone, code sent': (visitor, more = '') =>
    visitor.post('pages/phone', `${redirect}&phone=${encodeURIComponent(newPhone())}${more}`),
  'phone, wrong code': (visitor, more = '') =>
    visitor.post('pages/phone-code', `${redirect}&phone=%2B4915112345678&code=000000${more}`),
  'a step by itself': (visitor, more = '') => visitor.open(`pages/login?x=1${more}`),
  'a form from elsewhere': (visitor, more = '') =>
    visitor.post(`pages/login?x=1${more}`, '', { 'sec-fetch-site': 'cross-site' }),
};

const strict = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const leadsBack = /^(login|second step|phone)(?!, (not set up|expired|new code))/;

describe('every page', () => {
  test.each(Object.entries(everyPage))('%s: strict headers, no script, small', async (name, show) => {
    const page = await show(w.visitor);
    const found = Object.fromEntries(Object.keys(strict).map((header) => [header, page.headers[header]]));
    expect(found).toEqual(strict);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
    const target = leadsBack.test(name) ? ` ${w.appOrigin}` : '';
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /,
    );
    expect(page.headers['content-security-policy']).toContain(
      `; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(Buffer.byteLength(page.text)).toBeLessThan(15_000);
    expect(page.text).not.toMatch(/<script|<link|<img|<iframe|javascript:|\son\w+=|\sstyle=/i);
    const addresses = page.text.match(/(https?:)?\/\/[^\s"<]+/g) ?? [];
    expect(addresses.filter((address) => address !== `${w.appOrigin}/callback`)).toEqual([]);
    expect(page.text.match(/<h1>/g)).toHaveLength(1);
    expect(page.title).toContain(page.heading);
    expect(page.title.startsWith('Error: ')).toBe(page.status >= 400);
    expect(page.text.match(/autofocus/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test.each(Object.entries(everyPage))('%s: in each language', async (_name, show) => {
    const inEnglish = await show(w.visitor);
    const headings = new Set([inEnglish.heading]);
    for (const language of ['de', 'fr', 'es']) {
      const asked = await show(w.visitor, `&lang=${language}`);
      const preferred = await show(new Visitor(w.address, { 'accept-language': `${language}-XX,en;q=0.5` }));
      expect(asked.language).toBe(language);
      expect(preferred.language).toBe(language);
      expect(preferred.heading).toBe(asked.heading);
      expect(preferred.status).toBe(inEnglish.status);
      headings.add(asked.heading);
    }
    expect(headings.size).toBe(4);
  });

  test.each(['xx', '', '%3Cscript%3E', '__proto__', 'constructor', 'en%0d%0aX-Evil:1'])(
    'a language that there is not is no language: %s',
    async (lang) => {
      const page = await new Visitor(w.address, { 'accept-language': 'xx, *;q=0.1' }).open(
        `forgot-password?lang=${lang}`,
      );
      expect({ status: page.status, language: page.language }).toEqual({ status: 200, language: 'en' });
      expect(page.text).not.toContain('name="lang"');
    },
  );

  test('a chosen language is kept from page to page', async () => {
    const page = await w.visitor.open(`login?${redirect}&lang=de-AT`);
    expect(page.text).toContain('href="forgot-password?lang=de"');
    expect((await w.visitor.send(page, { email: 'a@example.com', password: 'wrong' })).language).toBe('de');
  });
});

test('HEAD answers as GET does, without the page', async () => {
  for (const name of ['verify-email?token=abc', 'forgot-password', `login?${redirect}`]) {
    const page = await w.visitor.open(name, { method: 'HEAD' });
    expect({ name, status: page.status, text: page.text }).toEqual({ name, status: 200, text: '' });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  }
});

test('M4: hostile names and values are shown as they are written, never run', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;{{7*7}}`;
  const { project } = await createProject(w.t.control, { name: hostile, tier: 'enterprise' });
  await setOrigins(w.t.control, project.ref, [w.appOrigin]);
  const visitor = new Visitor(`${w.t.url}/p/${project.ref}`, { 'accept-language': 'en' });
  const value = encodeURIComponent(hostile);
  const back = encodeURIComponent(`${w.appOrigin}/callback`);
  const pages = [
    await visitor.open(`verify-email?token=${value}`),
    await visitor.open(`reset-password?token=${value}`),
    await visitor.post('pages/reset-password', `token=${value}&new_password=short`),
    await visitor.post('pages/forgot-password', `email=${value}`),
    await visitor.open(`login?redirect_uri=${back}&state=${value}`),
    await visitor.open(`login?redirect_uri=${value}`),
    await visitor.post('pages/login', `redirect_uri=${back}&state=${value}&email=${value}&password=${value}`),
  ];
  for (const { text } of pages) {
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('&#39;&amp;amp;{{7*7}}');
    // Nothing of it has closed an attribute: outside of quotes there are only the words of the templates.
    expect(text.replaceAll(/"[^"]*"/g, '')).not.toMatch(/<[^>]*alert/);
  }
});

test('a page does not show who sent it what: passwords are never given back', async () => {
  const page = await w.visitor.post('pages/login', `${redirect}&email=a%40example.com&password=canary-4711`);
  expect(page.text).toContain('value="a@example.com"');
  expect(page.text).not.toContain('canary-4711');
  const reset = await w.visitor.post('pages/reset-password', 'token=abc&new_password=canary7');
  expect(reset.text).not.toContain('canary7');
});

test('A11: a forged host changes nothing on any page, nor in the mails they cause', async () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const person = await w.newPerson();
  const plain = await w.visitor.open(`login?${redirect}`);
  const visitor = new Visitor(w.address, { 'accept-language': 'en', ...forged });
  expect((await visitor.open(`login?${redirect}`)).text).toBe(plain.text);
  for (const show of Object.values(everyPage))
    expect((await show(visitor)).text).not.toContain('evil.example');
  await visitor.post('pages/forgot-password', `email=${encodeURIComponent(person.email)}`);
  const mail = await w.mail.mailTo(person.email);
  expect(linkIn(mail)).toMatch(`https://api.example.org/p/${w.ref}/auth-collections/reset-password?token=`);
  expect(mail.raw).not.toContain('evil.example');
});

test('what the gate refuses is told by a page too', async () => {
  const nowhere = await new Visitor(`${w.t.url}/p/aaaaaaaaaaaa`, { 'accept-language': 'de' }).open('login');
  expect({ status: nowhere.status, heading: nowhere.heading, language: nowhere.language }).toEqual({
    status: 401,
    heading: 'Unter dieser Adresse gibt es keine App',
    language: 'de',
  });
  const wrongKey = await w.visitor.open('login', { headers: { 'x-api-key': 'plk_wrong' } });
  expect({ status: wrongKey.status, heading: wrongKey.heading }).toEqual({
    status: 401,
    heading: 'This request is not valid',
  });
});

test('A4, N1: too many calls are told by a page that says when to go on', async () => {
  const limited = await inOneWindow(20_000, async () => {
    const node = await w.t.node({ ADDRESS_RATE_LIMIT: '1' });
    const visitor = new Visitor(`${node.url}/p/${w.ref}`, { 'accept-language': 'en' });
    await visitor.open('forgot-password');
    return visitor.open('forgot-password');
  });
  expect({ status: limited.status, heading: limited.heading }).toEqual({
    status: 429,
    heading: 'Too many attempts',
  });
  expect(limited.text).toContain(`Wait ${limited.headers['retry-after']} s`);
});

test('A4: too many tries with a password are told beside the form, which can be sent again', async () => {
  const node = await w.t.node({ AUTH_ACCOUNT_LIMIT: '2' });
  const visitor = new Visitor(`${node.url}/p/${w.ref}`, { 'accept-language': 'en' });
  const page = await inOneWindow(20_000, async () => {
    let page = await visitor.open(`login?${redirect}`);
    for (let tries = 0; tries < 3; tries += 1) {
      page = await visitor.send(page, { email: 'flooded@example.com', password: 'wrong horse' });
    }
    return page;
  });
  expect(page.status).toBe(429);
  expect(page.problem).toMatch(/^Too many attempts. Wait \d+ s, then try again.$/);
});

test('N3: a fault of ours is told neutrally, with what finds it in the log', async () => {
  const rename = (from: string, to: string) =>
    Promise.all(
      w.t.cells.numbers.map((cell) => w.t.cells.pool(cell).query(`ALTER TABLE cell.${from} RENAME TO ${to}`)),
    );
  await rename('one_time_tokens', 'hidden');
  try {
    const page = await w.visitor.post('pages/verify-email', 'token=abc');
    expect({ status: page.status, heading: page.heading }).toEqual({
      status: 500,
      heading: 'Something went wrong',
    });
    expect(page.text).toContain(`Reference: ${String(page.headers['x-request-id'])}`);
    expect(page.text).not.toMatch(/one_time_tokens|relation|SELECT|DELETE/);
  } finally {
    await rename('hidden', 'one_time_tokens');
  }
});
