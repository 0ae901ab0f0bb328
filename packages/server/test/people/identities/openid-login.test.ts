// @postgres newest
import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  newAccount,
  openStage,
  origin,
  redirectUri,
  type Stage,
} from '../../support/people/identity-stage.ts';
import { bearing, doorOf, newPerson, statusOf } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('a first login at a provider', () => {
  test('makes an account without a password, with what the provider says of the person', async () => {
    const account = newAccount({ name: 'Ada Lovelace', picture: 'https://example.com/ada.png' });
    const reply = await stage.logIn(account);
    expect(reply.status, reply.text).toBe(200);
    const { user, access_token: token, token_type: type, expires_at: until } = reply.body.data;
    expect(user).toMatchObject({
      email: account.email,
      email_verified: true,
      role: 'user',
      data: { name: 'Ada Lovelace', picture: 'https://example.com/ada.png' },
      claims: {},
    });
    expect([type, reply.body.access_token, reply.body.user]).toEqual(['bearer', token, user]);
    expect(decodeJwt(token).exp).toBe(Math.floor(Date.parse(until) / 1000));
    expect(await statusOf(stage.t, token)).toBe(200);
    for (const password of ['', 'null', 'correct horse'])
      expect(
        await doorOf(stage.t).post('/auth-collections/login', { email: user.email, password }),
      ).toFailWith(401, 'invalid_login');
  });

  test('answers in the form of a login', async () => {
    const person = await newPerson(stage.t);
    const { email, password } = person;
    const login = await doorOf(stage.t).post('/auth-collections/login', { email, password });
    const reply = await stage.logIn(newAccount());
    const names = (value: object) => Object.keys(value).toSorted();
    expect(names(reply.body)).toEqual(names(login.body));
    expect(names(reply.body.data)).toEqual(names(login.body.data));
    expect(names(reply.body.data.user)).toEqual(names(login.body.data.user));
  });

  test('takes only short texts into the profile', async () => {
    const account = newAccount({ name: 'N'.repeat(201), picture: 7 as unknown as string });
    expect((await stage.logIn(account)).body.data.user.data).toEqual({});
    const odd = newAccount({ name: ' A\u0000d\u0007a\ud800 ' });
    expect((await stage.logIn(odd)).body.data.user.data).toEqual({ name: 'Ada\ufffd' });
  });

  test('without an e-mail address is 400 email_missing', async () => {
    const { email: _, ...nameless } = newAccount();
    expect(await stage.logIn(nameless)).toFailWith(400, 'email_missing');
    for (const email of ['', 'no address', 'a@b c', `a@${'b'.repeat(254)}`, 'a\u0000@b'])
      expect(await stage.logIn(newAccount({ email }))).toFailWith(400, 'email_missing');
  });
});

describe('a later login', () => {
  test('is the same user, also after the address changed at the provider', async () => {
    const account = newAccount();
    const first = (await stage.logIn(account)).body.user;
    const later = (await stage.logIn({ ...account, email: `new.${account.email}` }, { pkce: true })).body
      .user;
    expect(later).toEqual(first);
  });

  test('of a suspended user is 403 user_suspended', async () => {
    const account = newAccount();
    const { id } = (await stage.logIn(account)).body.user;
    await stage.t.api.patch(`/auth-collections/users/${id}`, { suspended: true });
    expect(await stage.logIn(account)).toFailWith(403, 'user_suspended');
    await stage.t.api.patch(`/auth-collections/users/${id}`, { suspended: false });
    expect((await stage.logIn(account)).body.user.id).toBe(id);
  });

  test('after the user was deleted makes a new one', async () => {
    const account = newAccount();
    const { id } = (await stage.logIn(account)).body.user;
    await stage.t.api.delete(`/auth-collections/users/${id}`);
    const again = await stage.logIn(account);
    expect(again.status).toBe(200);
    expect(again.body.user.id).not.toBe(id);
  });

  test('is one of another user in another project, and under another provider', async () => {
    const account = newAccount();
    const here = (await stage.logIn(account)).body.user;
    const there = (await stage.logIn(account, { project: 1 })).body.user;
    expect(there.id).not.toBe(here.id);
    // The same address, verified on both sides: it joins.
    expect((await stage.logIn(account, { provider: 'google' })).body.user.id).toBe(here.id);
  });
});

describe('the URL to log in at', () => {
  test('carries the project’s client, redirect_uri and state, and nothing secret', async () => {
    const { status, body, text } = await stage.start();
    expect(status).toBe(200);
    const url = new URL(body.data.url);
    expect(url.origin).toBe(stage.idp.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: stage.idp.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state: body.data.state,
    });
    expect(body.data.state).toMatch(/^[\w-]{43}$/);
    expect(text).not.toContain(stage.idp.clientSecret);
    expect((await stage.start()).body.data.state).not.toBe(body.data.state);
  });

  test('with pkce=true carries a challenge and a nonce, from which neither follows', async () => {
    const { state, url } = (await stage.start({ pkce: true })).body.data;
    const asked = new URL(url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(asked.get('nonce')).toMatch(/^[\w-]{43}$/);
    const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
    expect([digest(state), state]).not.toContain(asked.get('code_challenge'));
    expect(digest(asked.get('nonce')!)).not.toBe(asked.get('code_challenge'));
  });

  test('leads back to addresses with a query of their own', async () => {
    const to = `${redirectUri}?from=acme`;
    for (const pkce of [true, false])
      expect((await stage.logIn(newAccount(), { redirectUri: to, pkce })).status).toBe(200);
  });

  test('is not given without redirect_uri, or with parameters that are not understood', async () => {
    const at = (query: string) => doorOf(stage.t).get(`/auth-collections/oauth/acme${query}`);
    const to = `redirect_uri=${encodeURIComponent(redirectUri)}`;
    expect(await at('')).toFailWith(400, 'redirect_uri_not_allowed');
    for (const query of [
      `?${to}&${to}`,
      `?${to}&pkce=yes`,
      `?${to}&pkce=true&pkce=false`,
      `?${to}&scope=all`,
    ])
      expect(await at(query), query).toFailWith(400, 'invalid_query');
  });
});

test('without pkce, code and redirect_uri are enough', async () => {
  const { code } = await stage.visit(newAccount());
  expect((await stage.verify({ code, redirect_uri: redirectUri })).status).toBe(200);
});

test('what the ID token leaves out is read where the provider keeps it', async () => {
  const account = newAccount({ name: 'Ada' });
  stage.idp.alterTokens(async (answer) => {
    const { email: _, email_verified: __, name: ___, ...rest } = decodeJwt(String(answer.id_token));
    return { ...answer, id_token: await stage.idp.signIdToken(rest) };
  });
  try {
    const { body } = await stage.logIn(account);
    expect(body.data.user).toMatchObject({
      email: account.email,
      email_verified: true,
      data: { name: 'Ada' },
    });
  } finally {
    stage.idp.alterTokens((answer) => answer);
  }
});

test('an unknown provider is 404 provider_not_found, whatever its name', async () => {
  const names = ['nobody', 'Acme', 'a', 'acme%20', '__proto__', 'constructor', 'a-b', 'x'.repeat(33), '%2f'];
  for (const provider of names) {
    expect(await stage.start({ provider }), provider).toFailWith(404, 'provider_not_found');
    const reply = await stage.verify({ code: 'x', redirect_uri: redirectUri }, { provider });
    expect(reply, provider).toFailWith(404, 'provider_not_found');
  }
  expect((await stage.start({ provider: 'nobody' })).body.error.message).toContain(
    'plinth project set-provider',
  );
});

test('only paths of this form are logins at a provider', async () => {
  const door = doorOf(stage.t);
  const body = { code: 'x', redirect_uri: redirectUri };
  for (const path of [
    'verify-acme',
    'verify-acme-login/x',
    'verify-acme-logins',
    'verify',
    'xverify-acme-login',
  ])
    expect(await door.post(`/auth-collections/${path}`, body), path).toFailWith(404, 'route_not_found');
  for (const path of ['login', 'verify-email', 'phone/verify'])
    expect((await door.post(`/auth-collections/${path}`, body)).body.error.code, path).not.toMatch(
      /provider/,
    );
});

test('a repeated call with the same Idempotency-Key is the same login, with a token of its own', async () => {
  const account = newAccount();
  const { code, state } = await stage.visit(account, { pkce: true });
  const body = { code, redirect_uri: redirectUri, state };
  const headers = { 'idempotency-key': randomUUID() };
  const send = (sent: object) =>
    doorOf(stage.t).post('/auth-collections/verify-acme-login', sent, { headers });
  const first = await send(body);
  expect(first.status, first.text).toBe(200);
  const again = await send(body);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.body.user).toEqual(first.body.user);
  expect(again.body.access_token).not.toBe(first.body.access_token);
  expect(await statusOf(stage.t, again.body.access_token)).toBe(200);
  expect(await send({ ...body, state: undefined })).toFailWith(400, 'idempotency_mismatch');
  const fresh = { headers: { 'idempotency-key': randomUUID() } };
  const replay = await doorOf(stage.t).post('/auth-collections/verify-acme-login', body, fresh);
  expect(replay).toFailWith(400, 'oauth_failed');
});

test('two first logins of one person at once make one user', async () => {
  const account = newAccount();
  const visits = await Promise.all(Array.from({ length: 8 }, () => stage.visit(account, { pkce: true })));
  const replies = await Promise.all(
    visits.map(({ code, state }) => stage.verify({ code, redirect_uri: redirectUri, state })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1);
  const mine = await bearing(stage.t, replies[0]!.body.access_token).get('/auth-collections/identities');
  expect(mine.body.data).toHaveLength(1);
  const { body } = await stage.t.api.get(`/auth-collections/users?email=${account.email}`);
  expect(body.total).toBe(1);
});

test('a login is started and ended from an allowed origin only', async () => {
  const foreign = { headers: { origin: 'https://elsewhere.example.com' } };
  const query = new URLSearchParams({ redirect_uri: redirectUri }).toString();
  const reply = await doorOf(stage.t).get(`/auth-collections/oauth/acme?${query}`, foreign);
  expect(reply).toFailWith(403, 'origin_not_allowed');
  const own = await doorOf(stage.t).get(`/auth-collections/oauth/acme?${query}`, { headers: { origin } });
  expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
});
