import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider } from '../../server/test/support/identity-provider.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type MailApp, mailApp } from '../../server/test/support/people/mail-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

const redirectUri = 'https://app.example.com/signed-in';

describe.skipIf(isMissing('chromium'))('how app users sign in', () => {
  let t: MailApp;
  let opened: OpenedProject;
  beforeAll(async () => {
    t = await mailApp();
    opened = await openProject(t);
  });
  afterAll(async () => {
    await opened?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const logIn = async () => {
    const body = { email: 'kim@example.com', password: 'correct horse battery' };
    return (await opened.app.post('/auth-collections/login', body)).body;
  };

  test('a switch counts at once, and is taken back', async () => {
    const { ada, app } = opened;
    const { page } = ada;
    const body = { email: 'kim@example.com', password: 'correct horse battery' };
    await app.post('/auth-collections/signup', body);
    await page.getByRole('link', { name: 'Sign-in' }).click();
    await ada.see('sign-in-settings', 'Sign-in methods');
    const secondStep = page.getByRole('switch', { name: 'Second step by email' });
    await secondStep.click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => typeof (await logIn()).access_token).toBe('string');
    await expect.poll(() => secondStep.isChecked()).toBe(false);
    await secondStep.click();
    await expect.poll(async () => (await logIn()).requires_2fa).toBe(true);
    await secondStep.click();
    await expect.poll(async () => typeof (await logIn()).access_token).toBe('string');
  });

  test('numbers and roles are set, and refused in words', async () => {
    const { ada, app } = opened;
    const { page } = ada;
    const codes = page.getByRole('region', { name: 'Codes and lifetimes' });
    await codes.getByLabel('Digits in a code').fill('50');
    await codes.getByRole('button', { name: 'Save' }).click();
    await codes.getByRole('alert').getByText('OTP_LENGTH must be an integer, 4 to 10').waitFor();
    await codes.getByLabel('Digits in a code').fill('5');
    await codes.getByRole('button', { name: 'Save' }).click();
    await codes.getByText('Codes of fewer than 6 digits are easier to guess.').waitFor();
    const roles = page.getByRole('region', { name: 'Roles' });
    await roles.getByText('Any app user can claim any role').waitFor();
    await roles.getByLabel('Roles users can give themselves').selectOption('Only some');
    await roles.getByLabel('Allowed roles').fill('reader, author');
    await roles.getByRole('button', { name: 'Save' }).click();
    const signUpAs = async (role: string) => {
      const body = { email: `${role}@example.com`, password: 'correct horse battery', role };
      return (await app.post('/auth-collections/signup', body)).status;
    };
    await expect.poll(() => signUpAs('admin')).toBe(403);
    expect(await signUpAs('author')).toBe(201);
    await expect.poll(() => t.mail.mails.length).toBeGreaterThan(0);
  });

  test('origins and pages of the app are set', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'URLs' }).click();
    await page.getByRole('link', { name: 'Change in settings' }).click();
    await page.getByLabel('Add an origin').fill('https://app.example.com');
    await page.getByRole('region', { name: 'Origins' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Remove https://app.example.com' }).waitFor();
    await page.goBack();
    await page
      .getByRole('region', { name: 'Allowed origins' })
      .getByText('https://app.example.com')
      .waitFor();
    await page.getByRole('textbox', { name: 'Your app' }).fill('https://app.example.com');
    const pages = page.getByRole('region', { name: 'Pages of your app' });
    await pages.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => pages.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await ada.see('sign-in-addresses', 'Allowed origins');
  });

  test('a provider is added, tested and removed; its secret is nowhere', async () => {
    const { ada, app } = opened;
    const { page } = ada;
    await using idp = await startIdentityProvider({ redirectUris: [redirectUri] });
    await page.getByRole('link', { name: 'Providers' }).click();
    await ada.see('providers-empty', 'No providers yet');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a provider' });
    await dialog.getByLabel('Provider').selectOption('Other (OpenID Connect)');
    await dialog.getByLabel('Name').fill('acme');
    await dialog.getByLabel('Issuer').fill(idp.issuer);
    await dialog.getByLabel('Client ID').fill(idp.clientId);
    await dialog.getByLabel('Client secret').fill(idp.clientSecret);
    await ada.see('provider', 'Add a provider');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Test: acme' }).click();
    const link = page.getByRole('link', { name: 'Open its sign-in in a new tab' });
    expect(await link.getAttribute('href')).toContain(`${idp.issuer}/auth?`);
    await ada.see('providers', 'Providers');
    expect(await page.content()).not.toContain(idp.clientSecret);
    await page.getByRole('button', { name: 'Remove: acme' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No providers yet' }).waitFor();
    const start = `/auth-collections/oauth/acme?redirect_uri=${encodeURIComponent(redirectUri)}`;
    expect((await app.get(start)).status).toBe(404);
  });
});
