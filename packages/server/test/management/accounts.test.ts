import { get } from 'node:http';
import { expect, test } from 'vitest';
import { inviteAccount, signInLinkFor } from '../../src/features/management/accounts/index.ts';
import { Client } from '../support/client.ts';
import { Dashboard, goodPassword, newManager, tokenOf } from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('an invited person makes an account, signs out and in again', async () => {
  const ada = await newManager(t, 'Ada@example.com');
  const account = await ada.get('/account');
  expect(account.body.data).toMatchObject({
    email: 'Ada@example.com',
    email_verified: true,
    second_factor: false,
  });
  expect(account.headers.get('cache-control')).toBe('no-store');
  const before = ada.cookie;
  expect((await ada.delete('/session')).status).toBe(200);
  const old = await new Dashboard(t.url, before).get('/account');
  expect([old.status, old.body.error.code]).toEqual([401, 'account_required']);
  const again = await ada.post('/session', { email: 'ada@EXAMPLE.com', password: goodPassword });
  expect([again.status, again.body.data.email]).toEqual([200, 'Ada@example.com']);
  expect(ada.cookie).not.toBe(before);
});

test('signing in over an old session ends that one', async () => {
  const ada = await newManager(t, 'over@example.com');
  const before = ada.cookie;
  await ada.post('/session', { email: ada.email, password: goodPassword });
  await t.app.caughtUp();
  expect((await new Dashboard(t.url, before).get('/account')).status).toBe(401);
  expect((await ada.get('/sessions')).body.data).toHaveLength(1);
});

test('the cookie is for the dashboard’s own calls alone', async () => {
  const stranger = new Dashboard(t.url);
  const invitation = await inviteAccount(t.control, 'cookie@example.com');
  const made = await stranger.post('/accounts', {
    email: 'cookie@example.com',
    password: goodPassword,
    invitation,
  });
  const [set = ''] = made.headers.getSetCookie();
  expect(set).toMatch(/^plinth-dev=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
  const behindProxy = await new Client(t.url, {
    'x-plinth-dashboard': '1',
    'x-forwarded-for': '203.0.113.7',
  }).post('/management/session', { email: 'cookie@example.com', password: goodPassword });
  expect(behindProxy.headers.getSetCookie()[0]).toMatch(/^__Host-plinth=.*; Secure$/);
});

test('without an invitation nobody makes an account, and an invitation is for one address, once', async () => {
  const body = { email: 'eve@example.com', password: goodPassword };
  const stranger = new Dashboard(t.url);
  const closed = await stranger.post('/accounts', body);
  expect([closed.status, closed.body.error.code]).toEqual([403, 'sign_up_closed']);
  const invitation = await inviteAccount(t.control, 'grace@example.com');
  const others = await stranger.post('/accounts', { ...body, invitation });
  expect([others.status, others.body.error.code]).toEqual([400, 'invalid_token']);
  const grace = { email: 'grace@example.com', password: goodPassword, invitation };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => new Dashboard(t.url).post('/accounts', grace)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  await expect(inviteAccount(t.control, 'grace@example.com')).rejects.toThrow('already exists');
});

test('an unknown address and a wrong password get one answer', async () => {
  const ada = await newManager(t, 'known@example.com');
  const replies = await Promise.all([
    ada.post('/session', { email: ada.email, password: 'not the password' }),
    ada.post('/session', { email: 'unknown@example.com', password: 'not the password' }),
  ]);
  expect(replies.map(({ status, body }) => [status, body.error.code, body.error.message])).toEqual(
    Array.from({ length: 2 }, () => [401, 'invalid_login', expect.any(String)]),
  );
  expect(replies[0].body.error.message).toBe(replies[1].body.error.message);
});

test('a changed password ends every session but the new one', async () => {
  const ada = await newManager(t, 'change@example.com');
  const elsewhere = new Dashboard(t.url);
  await elsewhere.post('/session', { email: ada.email, password: goodPassword });
  const wrong = await ada.post('/account/password', { old_password: 'no', new_password: 'another good one' });
  expect(wrong.body.error.code).toBe('wrong_password');
  const changed = await ada.post('/account/password', {
    old_password: goodPassword,
    new_password: 'another good one',
  });
  expect(changed.status).toBe(200);
  await t.app.caughtUp();
  expect((await ada.get('/account')).status).toBe(200);
  expect((await elsewhere.get('/account')).status).toBe(401);
});

test('a personal access token works without a cookie, within what it is for, until it is revoked', async () => {
  const ada = await newManager(t, 'tokens@example.com');
  const reader = await tokenOf(t, ada, { access: 'read' });
  const writer = await tokenOf(t, ada);
  expect((await reader.get('/account')).body.data.email).toBe(ada.email);
  const refused = await reader.post('/projects', { name: 'x' });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'token_read_only']);
  const made = await writer.post('/projects', { name: 'x' });
  expect(made.status).toBe(201);
  const owners = await writer.delete(`/projects/${made.body.data.ref}`);
  expect([owners.status, owners.body.error.code]).toEqual([403, 'session_required']);
  const own = await writer.post('/tokens', { name: 'y' });
  expect(own.body.error.code).toBe('session_required');
  const { data: tokens } = (await ada.get('/tokens')).body;
  expect(tokens).toMatchObject([{ access: 'read', projects: null }, { access: 'write' }]);
  expect(JSON.stringify(tokens)).not.toContain('plt_');
  await ada.delete(`/tokens/${tokens[1].id}`);
  await t.app.caughtUp();
  expect((await writer.get('/account')).body.error.code).toBe('account_required');
});

test('a token for one project does not see another', async () => {
  const ada = await newManager(t, 'narrow@example.com');
  const [one, two] = [
    await ada.post('/projects', { name: 'one' }),
    await ada.post('/projects', { name: 'two' }),
  ];
  const narrow = await tokenOf(t, ada, { projects: [one.body.data.ref] });
  expect((await narrow.get(`/projects/${one.body.data.ref}`)).status).toBe(200);
  expect((await narrow.get(`/projects/${two.body.data.ref}`)).status).toBe(404);
  expect((await narrow.get('/projects')).body.data.map(({ name }: { name: string }) => name)).toEqual([
    'one',
  ]);
});

test('a sign-in link works once', async () => {
  const token = await signInLinkFor(t.control, 'operator@example.com');
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => new Dashboard(t.url).post('/session', { token })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('API keys and tokens of app users are refused by name', async () => {
  const withKey = await new Client(t.url, { 'x-api-key': t.projects[0].apiKey }).get('/management/account');
  expect([withKey.status, withKey.body.error.code]).toEqual([401, 'account_required']);
  expect(withKey.body.error.message).toContain('personal access tokens');
});

test('over a name of the internet the cookie counts that no other host can set, and no other', async () => {
  const ada = await newManager(t, 'tossed@example.com');
  const [, token] = ada.cookie.split('=');
  // `fetch` would not send another Host.
  const answered = (cookie: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: 'api.example.com', cookie, 'x-plinth-dashboard': '1' };
      get(`${t.url}/management/account`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
  expect(await answered(`plinth-dev=${token}`)).toBe(401);
  expect(await answered(`__Host-plinth=${token}`)).toBe(200);
});
