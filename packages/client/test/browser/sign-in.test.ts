import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOrigins, setProjectSecret } from '../../../server/src/features/control/projects/index.ts';
import { openVault } from '../../../server/src/platform/crypto/vault.ts';
import { openBrowser, type Page, type TestBrowser } from '../../../server/test/support/browser.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../server/test/support/identity-provider.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import { openDevice } from '../../../server/test/support/people/device.ts';
import type { AppPage } from '../../../server/test/support/serve-page.ts';
import { type TestApp, testApp } from '../../../server/test/support/test-app.ts';
import { type AnyProject, type Client, createClient } from '../../src/index.ts';
import { type keepTokenInCookie, tokenFromCookie } from '../../src/ssr.ts';
import { password, unique } from '../suite/check.ts';
import { serveApp } from './bundle.ts';

/** What the page has. */
declare const window: {
  createClient: typeof createClient;
  keepTokenInCookie: typeof keepTokenInCookie;
  plinth: Client<AnyProject>;
};

describe.skipIf(isMissing('chromium'))('signing in from a page', () => {
  let app: AppPage;
  let t: TestApp;
  let idp: IdentityProvider;
  let chromium: TestBrowser;
  let url: string;
  beforeAll(async () => {
    app = await serveApp(join(import.meta.dirname, 'suite-page.ts'));
    t = await testApp({ OUTBOUND_ALLOW: '127.0.0.0/8' });
    const [{ ref }] = t.projects;
    url = `${t.url}/p/${ref}`;
    await setOrigins(t.control, ref, [app.origin]);
    idp = await startIdentityProvider({ redirectUris: [`${app.origin}/`] });
    const value = { issuer: idp.issuer, client_id: idp.clientId, client_secret: idp.clientSecret };
    await setProjectSecret(t.control, openVault(t.config), { ref, name: 'provider:acme', value });
    chromium = await openBrowser();
  });
  afterAll(async () => {
    for (const part of [chromium, idp, t, app]) await part?.[Symbol.asyncDispose]();
  });

  /** The client of the page, after every load of it. */
  const begin = async (page: Page) => {
    await page.waitForFunction('window.createClient');
    await page.evaluate((address) => {
      window.plinth = window.createClient({ url: address });
    }, url);
  };
  const openPage = async () => {
    const page = await chromium.openPage();
    await page.goto(app.origin);
    await begin(page);
    return page;
  };
  const signUp = (page: Page, email: string) =>
    page.evaluate(
      async ([address, secret]) =>
        (await window.plinth.auth.signUp({ email: address ?? '', password: secret ?? '' })).id,
      [email, password],
    );

  test('with a passkey, also where the browser cannot read its options itself', async () => {
    const { page } = await openDevice(chromium, app.origin);
    await begin(page);
    await page.evaluate(() => {
      // Browsers of before 2025.
      for (const name of ['parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON'])
        Reflect.deleteProperty(PublicKeyCredential, name);
      Reflect.deleteProperty(PublicKeyCredential.prototype, 'toJSON');
    });
    const id = await signUp(page, `${unique()}@example.com`);
    const added = await page.evaluate(
      (secret) => window.plinth.auth.passkeys.add({ name: 'My laptop', password: secret }),
      password,
    );
    expect(added.name).toBe('My laptop');
    await page.evaluate(() => window.plinth.auth.logOut());
    expect(await page.evaluate(async () => (await window.plinth.auth.passkeys.logIn()).id)).toBe(id);
    const renamed = await page.evaluate(async (one) => {
      await window.plinth.auth.passkeys.rename(one, 'Old laptop');
      const [passkey] = await window.plinth.auth.passkeys.list();
      await window.plinth.auth.passkeys.delete(one);
      return passkey?.name;
    }, added.id);
    expect(renamed).toBe('Old laptop');
    await page.context().close();
  });

  test('on the page of the service, and back', async () => {
    const page = await openPage();
    const email = `${unique()}@example.com`;
    const id = await signUp(page, email);
    await page.evaluate(() => window.plinth.auth.logOut());
    await page.goto(
      await page.evaluate(() => window.plinth.auth.redirects.urlOfHostedPage(`${location.origin}/`)),
    );
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => page.url()).toContain('code=');
    await begin(page);
    const complete = async () => (await window.plinth.auth.redirects.complete())?.user?.id;
    expect(await page.evaluate(complete)).toBe(id);
    // A code is good once, and another window has not begun it.
    expect(await page.evaluate(complete)).toBeUndefined();
    expect(await page.evaluate(() => window.plinth.auth.user?.id)).toBe(id);
    await page.context().close();
  });

  test('at a provider, and back', async () => {
    const page = await openPage();
    const there = await page.evaluate(() =>
      window.plinth.auth.redirects.urlOf('acme', `${location.origin}/`),
    );
    const account = { sub: unique(), email: `${unique()}@example.com`, email_verified: true, name: 'Cleo' };
    const { parameters } = await idp.signIn(there, account);
    await page.goto(`${app.origin}/?${parameters.toString()}`);
    await begin(page);
    const user = await page.evaluate(async () => (await window.plinth.auth.redirects.complete())?.user);
    expect(user?.email).toBe(account.email);
    const identities = await page.evaluate(() => window.plinth.auth.signIns.identities());
    expect(identities.map(({ provider }) => provider)).toEqual(['acme']);
    await page.context().close();
  });

  test('what a provider refuses is told', async () => {
    const page = await openPage();
    const there = await page.evaluate(() =>
      window.plinth.auth.redirects.urlOf('acme', `${location.origin}/`),
    );
    const state = new URL(there).searchParams.get('state') ?? '';
    await page.goto(`${app.origin}/?error=access_denied&state=${state}`);
    await begin(page);
    const message = await page.evaluate(() =>
      window.plinth.auth.redirects.complete().catch((error: Error) => error.message),
    );
    expect(message).toContain('access_denied');
    await page.context().close();
  });

  test('a cookie with the token alone tells the server who it is', async () => {
    const page = await openPage();
    const id = await signUp(page, `${unique()}@example.com`);
    await page.evaluate(() => window.keepTokenInCookie(window.plinth));
    await expect.poll(() => page.evaluate(() => document.cookie)).toContain('plinth-token=');
    const cookies = await page.evaluate(() => `other=1; ${document.cookie}`);
    expect(cookies).not.toContain(id);
    const server = createClient({ url, token: tokenFromCookie(cookies) });
    expect((await server.auth.ready()).user?.id).toBe(id);
    await page.evaluate(() => window.plinth.auth.logOut());
    await expect.poll(() => page.evaluate(() => document.cookie)).toBe('');
    expect(tokenFromCookie(null)).toBeUndefined();
    await page.context().close();
  });
});
