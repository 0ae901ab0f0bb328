import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import {
  Dashboard,
  goodPassword,
  type Manager,
  newManager,
} from '../../server/test/support/management/dashboard.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the account', () => {
  let t: TestApp;
  let service: string;
  let elsewhere: Manager;
  let ada: Visitor;
  beforeAll(async () => {
    t = await testApp({
      ACCOUNT_SIGNUP: 'open',
      ACCOUNT_OIDC_ISSUER: 'http://127.0.0.1:9',
      ACCOUNT_OIDC_CLIENT: 'plinth:a-secret',
    });
    service = t.url.replace('127.0.0.1', 'localhost');
    elsewhere = await newManager(t, 'ada@example.com');
    ada = await newVisitor(`${service}/dashboard/account`);
    const devtools = await ada.page.context().newCDPSession(ada.page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('where anybody may come, an account is made on the sign-in page', async () => {
    await using grace = await newVisitor(`${service}/dashboard`);
    const { page } = grace;
    await page.getByRole('link', { name: 'No account yet? Create one' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
    await page.getByLabel('Email address').fill('grace@example.com');
    await page.getByLabel('Password').fill(goodPassword);
    await grace.see('sign-up', 'Create an account');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('not verified').waitFor();
    await grace.see('account-not-confirmed', 'Account');
    const known = new Dashboard(t.url);
    expect(
      (await known.post('/session', { email: 'grace@example.com', password: goodPassword })).status,
    ).toBe(200);
  });

  test('a passkey is added, renamed, used to sign in, and removed', async () => {
    const { page } = ada;
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('My laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Rename My laptop' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Remove Old laptop' }).waitFor();
    expect((await elsewhere.get('/account/passkeys')).body.data).toMatchObject([{ name: 'Old laptop' }]);
    await ada.see('account-passkeys', 'Passkeys');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await ada.see('sign-in-ways', 'Sign in');
    const openid = page.getByRole('link', { name: 'Sign in with OpenID Connect' });
    expect(await openid.getAttribute('href')).toBe('/management/session/openid?to=%2Fdashboard%2F');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('last used just now').first().waitFor();
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No passkeys yet.').waitFor();
    expect((await elsewhere.get('/account/passkeys')).body.data).toEqual([]);
  });

  test('the authenticator app reads a picture; recovery codes are made anew', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
    await ada.see('authenticator', 'Set up an authenticator app');
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    const codes = () => page.getByRole('dialog').getByRole('listitem').allTextContents();
    await expect.poll(codes).not.toEqual([]);
    const first = await codes();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await expect.poll(codes).toHaveLength(first.length);
    const second = await codes();
    expect(second.filter((one) => first.includes(one))).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    const by = (recovery: string | undefined) =>
      new Dashboard(t.url).post('/session', {
        email: 'ada@example.com',
        password: goodPassword,
        code: recovery,
      });
    expect((await by(first[0])).status).not.toBe(200);
    expect((await by(second[0])).status).toBe(200);
  });

  test('the password is changed, and every other session ends', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('not the one');
    await page.getByLabel('New password').fill('another horse battery staple');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    await ada.see('change-password', 'Change password');
    await page.getByLabel('Current password').fill(goodPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('status').getByText('Password changed.').waitFor();
    expect((await elsewhere.get('/account')).status).toBe(401);
  });

  test('what was done with the account is listed; all sessions end', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Show activity' }).click();
    await page.getByRole('cell', { name: 'Change password' }).waitFor();
    await ada.see('account-log', 'Account activity');
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
