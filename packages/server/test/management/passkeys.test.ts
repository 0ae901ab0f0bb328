// @postgres newest
// @needs chromium
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { sql } from '../../src/platform/db/sql.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { inOneWindow } from '../support/calls/rate-window.ts';
import type { Reply } from '../support/client.ts';
import { Dashboard, goodPassword, type Manager, newManager } from '../support/management/dashboard.ts';
import { type Device, forge, openDevice, type SentCredential } from '../support/people/device.ts';
import { servePage } from '../support/serve-page.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
const refused = [400, 'invalid_passkey'] as const;
let browser: TestBrowser;
let people = 0;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser[Symbol.asyncDispose]());

/** The dashboard is where the node is. */
const origin = () => t.url.replace('127.0.0.1', 'localhost');
const person = () => newManager(t, `person${(people += 1)}@example.com`);
const data = ({ status, text, body }: Reply) => {
  expect(status, text).toBe(200);
  return body.data;
};
const begin = async () => data(await new Dashboard(t.url).post('/session/passkey/begin'));
const signIn = (response: SentCredential, as = new Dashboard(t.url)) =>
  as.post('/session/passkey', { response });
const confirm = (owner: Dashboard, response: SentCredential, name?: string) =>
  owner.post('/account/passkeys/confirm', { response, ...(name !== undefined && { name }) });

async function withPasskey(): Promise<{ owner: Manager; device: Device; id: string }> {
  const owner = await person();
  const device = await openDevice(browser, origin());
  const added = await confirm(owner, await device.create(data(await owner.post('/account/passkeys'))));
  expect(added.status, added.text).toBe(201);
  return { owner, device, id: added.body.data.id };
}

test('somebody adds a passkey and signs in with it, without an e-mail address or a code', async () => {
  const owner = await person();
  const { secret } = (await owner.post('/account/authenticator')).body.data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await owner.post('/account/authenticator/confirm', { code })).status).toBe(200);
  const device = await openDevice(browser, origin());
  const options = data(await owner.post('/account/passkeys'));
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Plinth' },
    user: { name: owner.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const added = await confirm(owner, await device.create(options), 'My laptop');
  expect([added.status, added.body.data.name]).toEqual([201, 'My laptop']);
  const asked = await begin();
  expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(asked).not.toHaveProperty('allowCredentials');
  const somebody = new Dashboard(t.url);
  const reply = await signIn(await device.get(asked), somebody);
  expect(data(reply)).toMatchObject({ id: owner.id, email: owner.email, second_factor: true });
  expect(reply.headers.getSetCookie()[0]).toMatch(/^plinth-dev=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
  const sessions = (await somebody.get('/sessions')).body.data;
  expect(sessions.find(({ current }: { current: boolean }) => current).method).toBe('passkey');
  const [entry] = (await somebody.get('/audit')).body.data;
  expect(entry).toMatchObject({ action: 'signInAccountWithPasskey', details: { method: 'passkey' } });
});

test('signing in over an old session ends that one', async () => {
  const { owner, device } = await withPasskey();
  const before = owner.cookie;
  expect((await signIn(await device.get(await begin()), owner)).status).toBe(200);
  expect((await new Dashboard(t.url, before).get('/account')).status).toBe(401);
  expect((await owner.get('/sessions')).body.data).toHaveLength(1);
});

test('passkeys are listed, renamed and deleted by their owner alone', async () => {
  const { owner, device, id } = await withPasskey();
  const stranger = await person();
  expect(await stranger.patch(`/account/passkeys/${id}`, { name: 'x' })).toFailWith(404, 'passkey_not_found');
  expect(await stranger.delete(`/account/passkeys/${id}`)).toFailWith(404, 'passkey_not_found');
  expect((await stranger.get('/account/passkeys')).body.data).toEqual([]);
  expect((await owner.patch(`/account/passkeys/${id}`, { name: 'Work' })).body.data.name).toBe('Work');
  expect((await signIn(await device.get(await begin()))).status).toBe(200);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect((await owner.get('/account/passkeys')).body.data).toEqual([
    { id, name: 'Work', createdAt: at, lastUsedAt: at, backedUp: false },
  ]);
  expect((await owner.delete(`/account/passkeys/${id}`)).status).toBe(200);
  expect(await signIn(await device.get(await begin()))).toFailWith(...refused);
  const { data: entries } = (await owner.get('/audit')).body;
  expect(entries.map(({ action, target }: Record<string, string>) => [action, target])).toEqual(
    expect.arrayContaining([
      ['addAccountPasskey', id],
      ['renameAccountPasskey', id],
      ['deleteAccountPasskey', id],
    ]),
  );
});

test('of 20 sign-ins with one response one succeeds, and none later, whether the device counts or not', async () => {
  const { device, id } = await withPasskey();
  const [key] = await device.keys();
  const counted = await device.get(await begin());
  const uncounted = forge(key!, { challenge: (await begin()).challenge, origin: origin(), signCount: 0 });
  for (const used of [counted, uncounted]) {
    if (used === uncounted)
      await t.control.query(sql`UPDATE control.account_passkeys SET sign_count = 0 WHERE id = ${id}::uuid`);
    const replies = await Promise.all(Array.from({ length: 20 }, () => signIn(used)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toFailWith(...refused);
    expect(await signIn(used)).toFailWith(...refused);
  }
});

test('of 20 that add one passkey one succeeds, and none later, not even after it was deleted', async () => {
  const owner = await person();
  const device = await openDevice(browser, origin());
  const made = await device.create(data(await owner.post('/account/passkeys')));
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => confirm(new Dashboard(t.url, owner.cookie), made)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await confirm(owner, made)).toFailWith(...refused);
  const { data: listed } = (await owner.get('/account/passkeys')).body;
  expect(listed).toHaveLength(1);
  expect((await owner.delete(`/account/passkeys/${listed[0].id}`)).status).toBe(200);
  expect(await confirm(owner, made)).toFailWith(...refused);
});

test('options that nobody uses leave no row, and a refused sign-in none either', async () => {
  const rows = () => t.control.query(sql`SELECT FROM control.account_used_challenges`);
  const { device, owner } = await withPasskey();
  const before = (await rows()).length;
  await Promise.all(Array.from({ length: 20 }, begin));
  await owner.post('/account/passkeys');
  const [key] = await device.keys();
  const { challenge } = await begin();
  const forged = forge(key!, { challenge, origin: origin(), signCount: 1000, isSignatureWrong: true });
  expect(await signIn(forged)).toFailWith(...refused);
  expect(await rows()).toHaveLength(before);
});

test('options are good for five minutes', async () => {
  const { owner, device } = await withPasskey();
  const other = await openDevice(browser, origin());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 301_000 });
  onTestFinished(() => void vi.useRealTimers());
  const [toUse, toAdd] = [await begin(), data(await owner.post('/account/passkeys'))];
  vi.useRealTimers();
  expect(await signIn(await device.get(toUse))).toFailWith(...refused);
  expect(await confirm(owner, await other.create(toAdd))).toFailWith(...refused);
});

test('options of another account, or for something else, are refused', async () => {
  const { owner, device } = await withPasskey();
  const [other, second] = [await person(), await openDevice(browser, origin())];
  const made = await second.create(data(await owner.post('/account/passkeys')));
  expect(await confirm(other, made)).toFailWith(...refused);
  // Somebody else cannot use them up either.
  expect((await confirm(owner, made)).status).toBe(201);
  const { challenge: toAdd } = data(await owner.post('/account/passkeys'));
  expect(await signIn(await device.get({ ...(await begin()), challenge: toAdd }))).toFailWith(...refused);
  const { challenge: toSignIn } = await begin();
  const third = await openDevice(browser, origin());
  const options = data(await other.post('/account/passkeys'));
  expect(await confirm(other, await third.create({ ...options, challenge: toSignIn }))).toFailWith(
    ...refused,
  );
});

test('what is signed on another page is refused, on the same domain too', async () => {
  const { owner, device } = await withPasskey();
  await using page = await servePage();
  await device.goTo(page.origin);
  expect(await signIn(await device.get(await begin()))).toFailWith(...refused);
  const second = await openDevice(browser, page.origin);
  expect(await confirm(owner, await second.create(data(await owner.post('/account/passkeys'))))).toFailWith(
    ...refused,
  );
});

test('what the owner of a key writes around its signature is checked', async () => {
  const { device, owner } = await withPasskey();
  const [key] = await device.keys();
  const other = await person();
  const handleOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  let signCount = 100;
  const attempt = async (forgery: Partial<Parameters<typeof forge>[1]>) => {
    const { challenge } = await begin();
    return signIn(forge(key!, { challenge, origin: origin(), signCount: (signCount += 1), ...forgery }));
  };
  const { challenge } = await begin();
  for (const forgery of [
    { isSignatureWrong: true },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { userHandle: handleOf(other.id) },
    { userHandle: '' },
    { challenge: 'made-up' },
    { challenge: Buffer.alloc(56, 255).toString('base64url') },
    // The same bytes, written in another way.
    { challenge: `${challenge}==` },
    { clientData: { type: 'webauthn.create' } },
    { clientData: { crossOrigin: true } },
  ])
    expect(await attempt(forgery), JSON.stringify(forgery)).toFailWith(...refused);
  expect((await attempt({ userHandle: handleOf(owner.id) })).status).toBe(200);
});

test('a copy of a key is found out by its count, unless the device does not count', async () => {
  const { device, id } = await withPasskey();
  const [key] = await device.keys();
  const signed = async (signCount: number) =>
    forge(key!, { challenge: (await begin()).challenge, origin: origin(), signCount });
  expect((await signIn(await signed(10))).status).toBe(200);
  for (const count of [10, 9, 0]) expect(await signIn(await signed(count))).toFailWith(...refused);
  const responses = await Promise.all(Array.from({ length: 20 }, () => signed(11)));
  const replies = await Promise.all(responses.map((response) => signIn(response)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  await t.control.query(sql`UPDATE control.account_passkeys SET sign_count = 0 WHERE id = ${id}::uuid`);
  for (const count of [0, 0]) expect((await signIn(await signed(count))).status).toBe(200);
});

test('a device that does not verify its owner neither adds a passkey nor signs in', async () => {
  const { device } = await withPasskey();
  await device.setOwnerPresent(false);
  const used = await device.get({ ...(await begin()), userVerification: 'discouraged' });
  expect(await signIn(used)).toFailWith(...refused);
  const owner = await person();
  const weak = await openDevice(browser, origin(), false);
  const options = data(await owner.post('/account/passkeys'));
  const made = await weak.create({
    ...options,
    authenticatorSelection: { userVerification: 'discouraged' },
  });
  expect(await confirm(owner, made)).toFailWith(...refused);
});

test('the passkey of an account that is gone signs nobody in', async () => {
  const { owner, device } = await withPasskey();
  const used = await device.get(await begin());
  await t.control.query(sql`DELETE FROM control.accounts WHERE id = ${owner.id}::uuid`);
  expect(await signIn(used)).toFailWith(...refused);
});

test('adding one needs a fresh sign-in and a confirmed address, and an account has 20 at most', async () => {
  const { owner } = await withPasskey();
  await t.control.query(sql`
    INSERT INTO control.account_passkeys (id, account_id, credential_id, public_key, sign_count, transports, name, aaguid,
      backed_up, rp_id)
    SELECT gen_random_uuid(), account_id, 'copy-' || n || id, public_key, 0, transports, name, aaguid, backed_up, rp_id
    FROM control.account_passkeys, generate_series(1, 18) AS n WHERE account_id = ${owner.id}::uuid`);
  const devices = await Promise.all([openDevice(browser, origin()), openDevice(browser, origin())]);
  const made: SentCredential[] = [];
  for (const device of devices) made.push(await device.create(data(await owner.post('/account/passkeys'))));
  const replies = await Promise.all(made.map((one) => confirm(new Dashboard(t.url, owner.cookie), one)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await owner.post('/account/passkeys')).toFailWith(400, 'too_many_passkeys');
  const open = await t.node({ ACCOUNT_SIGNUP: 'open' });
  const unverified = new Dashboard(open.url);
  await unverified.post('/accounts', { email: 'unverified@example.com', password: goodPassword });
  expect(await unverified.post('/account/passkeys')).toFailWith(403, 'email_not_verified');
  await t.control.query(sql`
    WITH aged AS (UPDATE control.account_sessions SET signed_in_at = now() - interval '16 minutes'
      WHERE account_id = ${owner.id}::uuid RETURNING token_hash)
    SELECT pg_notify('plinth', 'account-session:' || encode(token_hash, 'hex')) FROM aged`);
  expect(await owner.post('/account/passkeys')).toFailWith(403, 'sign_in_again');
});

test('tries are counted by address, and a dashboard at a number has no passkeys', async () => {
  const replies = await inOneWindow(2000, async () => {
    const limited = await t.node({ AUTH_ADDRESS_LIMIT: '2', DASHBOARD_URL: 'http://192.0.2.7' });
    const nobody = new Dashboard(limited.url);
    const replies: Reply[] = [];
    for (let tries = 0; tries < 3; tries += 1) replies.push(await nobody.post('/session/passkey/begin'));
    return replies;
  });
  for (const reply of replies.slice(0, 2)) expect(reply).toFailWith(400, 'passkey_domain_unknown');
  expect(replies[2]!.status).toBe(429);
});
