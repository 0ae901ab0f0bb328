// @postgres newest
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { inviteAccount } from '../../src/features/management/accounts/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { Client } from '../support/client.ts';
import { Dashboard, goodPassword, newManager, newProject, tokenOf } from '../support/management/dashboard.ts';
import { startSmallServer } from '../support/small-server.ts';
import {
  type Arrival,
  cookieOf,
  dashboardUrl,
  type OpenIdStage,
  openIdStage,
  somebody,
} from './openid-stage.ts';

let stage: OpenIdStage;
beforeAll(async () => {
  stage = await openIdStage({ ACCOUNT_SIGNUP: 'open' });
});
afterAll(() => stage[Symbol.asyncDispose]());

const outcome = ({ status, code, cookies }: Arrival) => [status, code, cookies.length];
const identities = () => stage.t.control.query(sql`SELECT FROM control.account_identities`);

test('somebody new signs in at the issuer, and gets to the page they wanted', async () => {
  const ada = somebody('ada@example.com', { name: 'Ada' });
  const begun = await stage.go('/management/session/openid?to=%2Fprojects%3Ftab%3D1%23top');
  const url = new URL(begun.location ?? '');
  expect([begun.status, url.origin]).toEqual([303, stage.idp.issuer]);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${dashboardUrl}/management/session/openid/callback`,
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(begun.cookies[0]).toMatch(
    /^plinth-dev-openid=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  // Neither state nor verifier can be read in it.
  expect(
    Buffer.from(cookieOf(begun, 'plinth-dev-openid').split('=')[1] ?? '', 'base64url').toString(),
  ).not.toContain(url.searchParams.get('state'));
  const { parameters } = await stage.idp.signIn(url, ada);
  const cookie = cookieOf(begun, 'plinth-dev-openid');
  const arrived = await stage.go(`/management/session/openid/callback?${parameters.toString()}`, { cookie });
  expect([arrived.status, arrived.location]).toEqual([303, `${dashboardUrl}/projects?tab=1#top`]);
  expect(arrived.cookies[0]).toMatch(/^plinth-dev=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
  expect(arrived.cookies[1]).toMatch(/^plinth-dev-openid=; .*Max-Age=0/);
  const person = stage.dashboard(arrived);
  expect((await person.get('/account')).body.data).toMatchObject({
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada',
  });
  expect((await person.get('/sessions')).body.data).toMatchObject([{ method: 'openid', current: true }]);
  expect((await person.get('/audit')).body.data).toMatchObject([
    { action: 'signInAccountWithOpenId', details: { method: 'openid', account: 'new' } },
  ]);
  // They are known by their subject from now on, whatever their address is.
  const again = await stage.signIn({ ...ada, email: 'other@example.com', email_verified: false });
  expect(again.location).toBe(`${dashboardUrl}/`);
  expect((await stage.dashboard(again).get('/account')).body.data.email).toBe('ada@example.com');
});

test('behind a proxy the cookies are bound to this host and https', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const begun = await stage.go('/management/session/openid', headers);
  expect(begun.cookies[0]).toMatch(/^__Host-plinth-openid=.*; Path=\/; .*SameSite=Lax; Secure$/);
  const { parameters } = await stage.idp.signIn(begun.location ?? '', somebody('proxy@example.com'));
  const callback = `/management/session/openid/callback?${parameters.toString()}`;
  const value = cookieOf(begun, '__Host-plinth-openid').split('=')[1] ?? '';
  // The plain name could be set by another host of the domain.
  const planted = await stage.go(callback, { ...headers, cookie: `plinth-dev-openid=${value}` });
  expect(outcome(planted)).toEqual([400, 'oauth_failed', 0]);
  const arrived = await stage.go(callback, { ...headers, cookie: `__Host-plinth-openid=${value}` });
  expect([arrived.status, arrived.cookies[0]]).toEqual([
    303,
    expect.stringMatching(/^__Host-plinth=.*; Secure$/),
  ]);
});

test('an account with the same address is connected, and its second factor is the issuer’s business', async () => {
  const grace = await newManager(stage.t, 'grace@example.com');
  const { secret } = (await grace.post('/account/authenticator')).body.data;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const confirmed = await grace.post('/account/authenticator/confirm', { code: totp.generate() });
  const [code] = confirmed.body.data.recovery_codes;
  const arrived = await stage.signIn(somebody('Grace@Example.com'));
  const person = stage.dashboard(arrived);
  expect((await person.get('/account')).body.data.id).toBe(grace.id);
  expect((await person.get('/audit')).body.data[0].details).toEqual({
    method: 'openid',
    account: 'connected',
  });
  // What she had goes on.
  expect((await grace.get('/account')).body.data.second_factor).toBe(true);
  const byPassword = { email: grace.email, password: goodPassword, code };
  expect((await new Dashboard(stage.t.url).post('/session', byPassword)).status).toBe(200);
  // Whoever gets her address at the issuer later does not get her account.
  const later = await stage.signIn(somebody('grace@example.com'));
  expect(outcome(later)).toEqual([400, 'email_taken', 0]);
});

test('whoever signed up with an address that was not theirs keeps no way into its account', async () => {
  const { t } = stage;
  const mallory = new Dashboard(t.url);
  const body = { email: 'victim@example.com', password: goodPassword };
  const made = await mallory.post('/accounts', body);
  expect(made.body.data.email_verified).toBe(false);
  const token = await tokenOf(t, mallory);
  await mallory.post('/account/authenticator');
  const arrived = await stage.signIn(somebody('victim@example.com'));
  const victim = stage.dashboard(arrived);
  expect((await victim.get('/account')).body.data).toMatchObject({
    id: made.body.data.id,
    email_verified: true,
    second_factor: false,
  });
  expect((await mallory.get('/account')).status).toBe(401);
  expect((await token.get('/account')).status).toBe(401);
  expect(await new Dashboard(t.url).post('/session', body)).toFailWith(401, 'invalid_login');
});

test('an address that the issuer has not verified connects nobody', async () => {
  const known = await newManager(stage.t, 'unsure@example.com');
  const before = (await identities()).length;
  for (const email_verified of [false, undefined]) {
    const { email_verified: _, ...person } = somebody(known.email);
    const account = email_verified === undefined ? person : { ...person, email_verified };
    expect(outcome(await stage.signIn(account))).toEqual([403, 'email_not_verified', 0]);
  }
  const { email: _, ...nameless } = somebody('');
  expect(outcome(await stage.signIn(nameless))).toEqual([403, 'email_not_verified', 0]);
  expect(await identities()).toHaveLength(before);
});

test('login CSRF: without the cookie of this very sign-in nothing happens', async () => {
  const mallory = somebody('mallory@example.com');
  const { callback, cookie } = await stage.visit(mallory);
  const others = await stage.visit(somebody('ada2@example.com'));
  for (const headers of [
    {},
    { cookie: others.cookie },
    { cookie: 'plinth-dev-openid=made-up' },
    { cookie: `${cookie}x` },
    { cookie: cookie.replace('plinth-dev-openid', 'plinth-dev') },
  ])
    expect(outcome(await stage.go(callback, headers))).toEqual([400, 'oauth_failed', 0]);
  const state = new URLSearchParams(callback.split('?')[1]).get('state') ?? '';
  for (const wrong of [callback.replace(state, 'x'.repeat(43)), callback.replace(/&?state=[^&]*/, '')])
    expect(outcome(await stage.go(wrong, { cookie }))).toEqual([400, 'oauth_failed', 0]);
  // The right one still works.
  expect((await stage.go(callback, { cookie })).status).toBe(303);
});

test('of 20 that come back with one code one gets a session, and none later', async () => {
  const { callback, cookie } = await stage.visit(somebody('twenty@example.com'));
  const arrivals = await Promise.all(Array.from({ length: 20 }, () => stage.go(callback, { cookie })));
  expect(arrivals.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(outcome(await stage.go(callback, { cookie }))).toEqual([400, 'oauth_failed', 0]);
});

test('an issuer that takes a code again and again is no help either', async () => {
  const { idp } = stage;
  const claims: Record<string, unknown> = { aud: idp.clientId, sub: 'again', email_verified: true };
  await using server = await startSmallServer(async ({ path }) => {
    const iat = Math.floor(Date.now() / 1000);
    const token = { ...claims, iss: server.url, email: 'again@example.com', iat, exp: iat + 60 };
    if (path === '/token')
      return { access_token: 'a', token_type: 'bearer', id_token: await idp.signIdToken(token) };
    return {
      issuer: server.url,
      authorization_endpoint: `${server.url}/authorize`,
      token_endpoint: `${server.url}/token`,
      jwks_uri: `${idp.issuer}/jwks`,
    };
  });
  const { url } = await stage.t.node({ ACCOUNT_OIDC_ISSUER: server.url });
  const begun = await stage.go('/management/session/openid', {}, url);
  const asked = new URL(begun.location ?? '').searchParams;
  claims.nonce = asked.get('nonce');
  const callback = `/management/session/openid/callback?code=a&state=${asked.get('state')}`;
  const cookie = cookieOf(begun, 'plinth-dev-openid');
  const arrivals = await Promise.all(Array.from({ length: 20 }, () => stage.go(callback, { cookie }, url)));
  expect(arrivals.filter(({ status }) => status === 303)).toHaveLength(1);
  const again = await stage.go(callback, { cookie }, url);
  expect(outcome(again)).toEqual([400, 'oauth_failed', 0]);
  expect(again.text).toContain('already used');
});

test('a sign-in at the issuer may take ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 601_000 });
  onTestFinished(() => void vi.useRealTimers());
  const begun = await stage.go('/management/session/openid');
  vi.useRealTimers();
  const { parameters } = await stage.idp.signIn(begun.location ?? '', somebody('late@example.com'));
  const cookie = cookieOf(begun, 'plinth-dev-openid');
  const late = await stage.go(`/management/session/openid/callback?${parameters.toString()}`, { cookie });
  expect(outcome(late)).toEqual([400, 'oauth_failed', 0]);
});

test('an ID token for another sign-in, another client or of another issuer is refused', async () => {
  const { idp } = stage;
  const now = Math.floor(Date.now() / 1000);
  const good = {
    iss: idp.issuer,
    aud: idp.clientId,
    sub: 'x',
    iat: now,
    exp: now + 60,
    email: 'x@example.com',
  };
  for (const claims of [
    {},
    { nonce: 'another' },
    { aud: 'another' },
    { iss: 'https://evil.example' },
    { exp: now - 600 },
  ]) {
    const { callback, cookie } = await stage.visit(somebody('token@example.com'));
    idp.alterTokens(async (answer) => ({
      ...answer,
      id_token: await idp.signIdToken({ ...good, ...claims }),
    }));
    const arrived = await stage.go(callback, { cookie });
    idp.alterTokens((answer) => answer);
    expect(outcome(arrived), JSON.stringify(claims)).toEqual([400, 'oauth_failed', 0]);
  }
});

test('no sign-in leads to another site', async () => {
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'evil.example',
    '@evil.example',
    '',
    `/${'x'.repeat(1001)}`,
  ]) {
    const begun = await stage.go(`/management/session/openid?to=${encodeURIComponent(to)}`);
    expect([to, ...outcome(begun)]).toEqual([to, 400, 'invalid_query', 0]);
  }
  for (const query of ['to=/a&to=//evil.example', 'redirect_uri=https://evil.example'])
    expect(outcome(await stage.go(`/management/session/openid?${query}`))).toEqual([400, 'invalid_query', 0]);
  for (const to of ['/@evil.example', '/%2f%2fevil.example', '/a?next=//evil.example', '/a/../b']) {
    const arrived = await stage.signIn(somebody('to@example.com', { sub: 'to' }), to);
    expect(new URL(arrived.location ?? '').origin).toBe(dashboardUrl);
  }
});

test('other sites begin nothing, and nobody is signed in within a frame', async () => {
  const begin = (headers: Record<string, string>) => stage.go('/management/session/openid', headers);
  for (const site of ['same-origin', 'none'])
    expect((await begin({ 'sec-fetch-site': site })).status).toBe(303);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' },
  ])
    expect(outcome(await begin(headers))).toEqual([403, 'origin_not_allowed', 0]);
  const { callback, cookie } = await stage.visit(somebody('frame@example.com'));
  const framed = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' };
  expect(outcome(await stage.go(callback, framed))).toEqual([403, 'origin_not_allowed', 0]);
  const inWindow = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  expect((await stage.go(callback, inWindow)).status).toBe(303);
});

test('signing in over an old session ends that one, although its cookie does not come back', async () => {
  const ada = await newManager(stage.t, 'over@example.com');
  const begun = await stage.go('/management/session/openid', { cookie: ada.cookie });
  const { parameters } = await stage.idp.signIn(begun.location ?? '', somebody('over@example.com'));
  const cookie = cookieOf(begun, 'plinth-dev-openid');
  const arrived = await stage.go(`/management/session/openid/callback?${parameters.toString()}`, { cookie });
  expect((await stage.dashboard(arrived).get('/sessions')).body.data).toHaveLength(1);
  expect((await ada.get('/account')).status).toBe(401);
});

test('people get a page that says what is wrong, in what the issuer says too', async () => {
  const page = await stage.go('/management/session/openid/callback?code=a&state=b', { accept: 'text/html' });
  expect([page.status, page.code]).toEqual([400, undefined]);
  expect(page.text).toContain('This sign-in was not started in this browser');
  const begun = await stage.go('/management/session/openid');
  const state = new URL(begun.location ?? '').searchParams.get('state') ?? '';
  const query = new URLSearchParams({ state, error: 'access_denied', error_description: '<b>No</b>' });
  const cookie = cookieOf(begun, 'plinth-dev-openid');
  const told = await stage.go(`/management/session/openid/callback?${query.toString()}`, {
    cookie,
    accept: 'text/html',
  });
  expect(told.status).toBe(400);
  expect(told.text).toContain('access_denied, &lt;b&gt;No&lt;/b&gt;');
});

test('who may have an account is what ACCOUNT_SIGNUP says', async () => {
  const { t } = stage;
  const closed = await t.node({ ACCOUNT_SIGNUP: 'closed' });
  const invited = await t.node({ ACCOUNT_SIGNUP: 'invited' });
  const owner = await newManager(t, 'owner@example.com');
  const { ref } = await newProject(owner);
  await owner.post(`/projects/${ref}/invitations`, { email: 'mate@example.com' });
  await inviteAccount(t.control, 'link@example.com');
  for (const email of ['stranger@example.com', 'mate@example.com', 'link@example.com'])
    expect(outcome(await stage.signIn(somebody(email), '/', closed.url))).toEqual([403, 'sign_up_closed', 0]);
  expect(outcome(await stage.signIn(somebody('stranger@example.com'), '/', invited.url))).toEqual([
    403,
    'sign_up_closed',
    0,
  ]);
  for (const email of ['mate@example.com', 'link@example.com'])
    expect((await stage.signIn(somebody(email), '/', invited.url)).status).toBe(303);
  // Who has an account signs in there, whatever the setting.
  expect((await stage.signIn(somebody('owner@example.com'), '/', closed.url)).status).toBe(303);
  const rows = await t.control.query(
    sql`SELECT FROM control.account_links WHERE email_key = 'link@example.com'`,
  );
  expect(rows).toHaveLength(0);
});

test('somebody who signs in for the first time in many windows gets one account', async () => {
  const person = somebody('windows@example.com');
  const visits = await Promise.all(Array.from({ length: 8 }, () => stage.visit(person)));
  const arrivals = await Promise.all(visits.map(({ callback, cookie }) => stage.go(callback, { cookie })));
  expect(arrivals.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 303));
});

test('a node starts while its issuer is away, and without one there is none', async () => {
  const away = await stage.t.node({ ACCOUNT_OIDC_ISSUER: 'http://127.0.0.1:9' });
  expect(outcome(await stage.go('/management/session/openid', {}, away.url))).toEqual([
    400,
    'oauth_failed',
    0,
  ]);
  const without = await stage.t.node({
    ACCOUNT_OIDC_ISSUER: '',
    ACCOUNT_OIDC_CLIENT: '',
    ACCOUNT_SIGNUP: 'invited',
  });
  const methods = { password: true, passkey: true };
  const told = async (url: string) => (await new Dashboard(url).get('/sign-in-methods')).body.data;
  expect(await told(away.url)).toEqual({ ...methods, openid: true, signup: 'open' });
  expect(await told(without.url)).toEqual({ ...methods, openid: false, signup: 'invited' });
  for (const path of ['/session/openid', '/session/openid/callback'])
    expect(await new Client(without.url).get(`/management${path}`)).toFailWith(404, 'provider_not_found');
});
