// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkIn } from '../../support/mail-server.ts';
import { hiddenIn, type ShownPage, Visitor } from '../../support/people/visitor.ts';
import { type PageWorld, pageWorld } from './world.ts';

let w: PageWorld;
beforeAll(async () => {
  w = await pageWorld({ PUBLIC_URL: 'https://api.example.org' }, { ENABLE_EMAIL_VERIFICATION: 'true' });
});
afterAll(() => w[Symbol.asyncDispose]());

const login = (fields: Record<string, string> = {}) =>
  new URLSearchParams({
    email: 'nobody@example.com',
    password: 'wrong horse',
    redirect_uri: `${w.appOrigin}/callback`,
    ...fields,
  }).toString();
/** The one answer that shows the form was taken and looked into. */
const wasTaken = ({ status, problem }: ShownPage) =>
  status === 401 && problem === 'Wrong email address or password.';

describe('M1: a form is taken from a page of the service only', () => {
  const refused: Record<string, Record<string, string>> = {
    'from another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'from another site that claims our origin': {
      'sec-fetch-site': 'cross-site',
      origin: 'https://api.example.org',
    },
    'from a sub-domain': { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.org' },
    'from an old browser on another site': { 'sec-fetch-site': '', origin: 'https://evil.example' },
    'from a sandboxed frame': { 'sec-fetch-site': '', origin: 'null' },
    'typed or from a bookmark': { 'sec-fetch-site': 'none', origin: '' },
    'from who says nothing': { 'sec-fetch-site': '', origin: '' },
  };
  test.each(Object.entries(refused))('refused: %s', async (_name, headers) => {
    const answer = await w.visitor.post('pages/login', login(), headers);
    expect({ status: answer.status, heading: answer.heading }).toEqual({
      status: 403,
      heading: 'This form was not accepted',
    });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('refused: from the project’s own app, though its scripts may call the API', async () => {
    for (const site of ['cross-site', '']) {
      const headers = { 'sec-fetch-site': site, origin: w.appOrigin };
      expect((await w.visitor.post('pages/login', login(), headers)).status).toBe(403);
    }
    const called = await w.door.post('/auth-collections/login', {}, { headers: { origin: w.appOrigin } });
    expect(called.headers.get('access-control-allow-origin')).toBe(w.appOrigin);
  });

  test('taken: from the same origin, or from an old browser that names an origin of ours', async () => {
    expect(wasTaken(await w.visitor.post('pages/login', login()))).toBe(true);
    const anywhere = { 'sec-fetch-site': 'same-origin', origin: 'https://pages.customer.example' };
    expect(wasTaken(await w.visitor.post('pages/login', login(), anywhere))).toBe(true);
    for (const origin of [w.t.url, 'https://api.example.org']) {
      const old = { 'sec-fetch-site': '', origin };
      expect(wasTaken(await w.visitor.post('pages/login', login(), old))).toBe(true);
    }
  });

  test('a refused form has no effect: the link it carries still works', async () => {
    const { email } = await w.newPerson();
    const page = await w.visitor.open(
      linkIn(await w.mail.mailTo(email)).replace('https://api.example.org', w.t.url),
    );
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await w.visitor.send(page, {}, { headers })).status).toBe(403);
    expect((await w.visitor.send(page)).heading).toBe('Your email address is confirmed');
  });
});

test('forms of a project under its own sub-domain are taken from there, and from no other', async () => {
  const node = await w.t.node({ API_DOMAIN: 'apps.example.org' });
  const visitor = new Visitor(node.url, { host: `${w.ref}.apps.example.org`, 'accept-language': 'en' });
  const send = (origin: string) => visitor.post('pages/login', login(), { 'sec-fetch-site': '', origin });
  expect(wasTaken(await send(`https://${w.ref}.apps.example.org`))).toBe(true);
  for (const origin of [
    `https://${w.t.projects[0].ref}.apps.example.org`,
    `http://${w.ref}.apps.example.org`,
    `https://${w.ref}.apps.example.org.evil.example`,
  ]) {
    expect({ origin, status: (await send(origin)).status }).toEqual({ origin, status: 403 });
  }
});

describe('U3, D10: what is not a form of a page is refused with a page', () => {
  const bodies: Record<string, [type: string, body: () => string, status: number]> = {
    JSON: ['application/json', () => '{"email":"a@example.com","password":"wrong horse"}', 400],
    'broken JSON': ['application/json', () => '{', 400],
    multipart: ['multipart/form-data; boundary=x', () => '--x--\r\n', 400],
    'plain text': ['text/plain', () => 'email=a', 400],
    'a field twice': ['application/x-www-form-urlencoded', () => `${login()}&email=other%40example.com`, 400],
    'a field twice, once encoded': ['application/x-www-form-urlencoded', () => `${login()}&%65mail=b`, 400],
    'half a percent sign': ['application/x-www-form-urlencoded', () => `${login()}&x=%4`, 400],
    'bytes that are not UTF-8': ['application/x-www-form-urlencoded', () => `${login()}&x=%ff%fe`, 400],
    'a NUL': ['application/x-www-form-urlencoded', () => `${login()}&x=%00`, 400],
    'too many fields': [
      'application/x-www-form-urlencoded',
      () => Array.from({ length: 200 }, (_, index) => `f${index}=`).join('&'),
      400,
    ],
    'more than 16 KB': ['application/x-www-form-urlencoded', () => login({ x: 'x'.repeat(16_400) }), 413],
    'a megabyte': ['application/x-www-form-urlencoded', () => `x=${'x'.repeat(1_000_000)}`, 413],
  };
  test.each(Object.entries(bodies))('%s', async (_name, [type, body, status]) => {
    const answer = await w.visitor.post('pages/login', body(), { 'content-type': type });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.heading).toBe('This request is not valid');
  });

  test('no body at all', async () => {
    const answer = await w.visitor.post('pages/login', '');
    expect([400, 401]).toContain(answer.status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

test('D10: routes that take JSON take no form of a page', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const path of [
    '/auth-collections/login',
    '/auth-collections/verify-email',
    '/auth-collections/signup',
  ]) {
    const reply = await w.door.post(path, undefined, { raw: login(), headers });
    expect(reply, path).toFailWith(400, 'invalid_body');
  }
});

test('what a form brings is text: names of every object are fields like any other', async () => {
  const body = `${login()}&__proto__=x&constructor=y&toString=z`;
  expect(wasTaken(await w.visitor.post('pages/login', body))).toBe(true);
});

test('forms are relative: they work at every address of the project', async () => {
  const node = await w.t.node({ ROOT_PROJECT: w.ref });
  for (const address of [w.address, `${node.url}/p/${w.ref}`, node.url]) {
    for (const name of ['login', 'login/', 'login?lang=en', 'login/?lang=en']) {
      const redirect = `redirect_uri=${encodeURIComponent(`${w.appOrigin}/callback`)}`;
      const page = await w.visitor.open(
        `${address}/auth-collections/${name}${name.includes('?') ? '&' : '?'}${redirect}`,
      );
      const wrong = { email: 'nobody@example.com', password: 'wrong horse' };
      const again = await w.visitor.send(page, wrong);
      expect(wasTaken(again)).toBe(true);
      expect(wasTaken(await w.visitor.send(again, wrong))).toBe(true);
      expect(hiddenIn(again.text).redirect_uri).toBe(`${w.appOrigin}/callback`);
      const forgot = /<a href="([^"]*forgot-password[^"]*)"/.exec(again.text)![1]!;
      expect((await w.visitor.open(new URL(forgot, again.url).href)).heading).toBe('Forgot your password?');
    }
  }
});

test('whoever opens the address of a form without the form is told so', async () => {
  for (const name of ['login', 'phone-code', 'nothing']) {
    const page = await w.visitor.open(`pages/${name}`);
    expect({ status: page.status, heading: page.heading }).toEqual({
      status: 404,
      heading: 'This page cannot be opened directly',
    });
  }
});
