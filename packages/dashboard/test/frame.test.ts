import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInLinkFor } from '../../server/src/features/management/accounts/index.ts';
import { sql } from '../../server/src/platform/db/sql.ts';
import { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { goodPassword, type Manager, newManager } from '../../server/test/support/management/dashboard.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

const codeFor = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

describe.skipIf(isMissing('chromium'))('the frame of the dashboard', () => {
  let t: TestApp;
  let service: string;
  let ada: Visitor;
  let elsewhere: Manager;
  beforeAll(async () => {
    t = await testApp();
    service = t.url.replace('127.0.0.1', 'localhost');
    elsewhere = await newManager(t, 'ada@example.com');
    ada = await newVisitor(`${service}/dashboard/account`);
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('somebody signs in, and comes to the page they wanted', async () => {
    const { page } = ada;
    await ada.see('sign-in', 'Sign in');
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByLabel('Password').fill('not the one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor();
    await ada.see('sign-in-wrong', 'Sign in');
    await page.getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await ada.see('account', 'Account');
    expect(page.url()).toBe(`${service}/dashboard/account`);
  });

  test('its files are kept for ever under their names, and what is not there for no time', async () => {
    const html = await (await fetch(`${service}/dashboard`)).text();
    const [script = ''] = /\/dashboard\/assets\/[\w-]+\.js/.exec(html) ?? [];
    const cachedFor = async (path: string) => {
      const sent = { 'accept-encoding': 'gzip, deflate, br, zstd' };
      const { status, headers } = await fetch(`${service}${path}`, { headers: sent });
      return [status, headers.get('cache-control'), headers.get('content-encoding')];
    };
    expect(await cachedFor(script)).toEqual([200, 'public, max-age=31536000, immutable', 'br']);
    const [status, kept] = await cachedFor('/dashboard/assets/index-old.js');
    expect(status).toBe(404);
    expect(kept).not.toMatch(/immutable|max-age=[1-9]/);
    expect((await cachedFor('/dashboard/assets/..%2f..%2fpackage.json'))[0]).toBe(404);
    expect(await cachedFor('/dashboard')).toEqual([200, 'no-cache', 'br']);
  });

  test('colours and rows are chosen, and stay', async () => {
    const { page } = ada;
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Compact' }).check();
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    expect(await page.evaluate('({...document.documentElement.dataset})')).toEqual({
      theme: 'dark',
      density: 'compact',
    });
    await page.getByRole('radio', { name: 'System' }).check();
  });

  test('a token is made, shown once, and revoked; the session is listed', async () => {
    const { page } = ada;
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('What is it for?').fill('Deploy');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText(/^plt_\w{20}/).waitFor();
    await ada.see('new-token', 'New token');
    await page.keyboard.press('Escape');
    await page.getByText('Deploy').waitFor();
    await ada.see('account-token', 'Account');
    await page.getByRole('button', { name: 'Revoke: Deploy' }).click();
    await page.getByText('No tokens yet.').waitFor();
  });

  test('an authenticator app is set up after the password was asked for again, and then asked for', async () => {
    const { page } = ada;
    await t.control.query(sql`UPDATE control.account_sessions SET signed_in_at = now() - interval '1 hour'`);
    await t.control.query(sql`SELECT pg_notify('plinth', 'account-session:' || encode(token_hash, 'hex'))
      FROM control.account_sessions`);
    await t.app.caughtUp();
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await ada.see('sign-in-again', 'Confirm it’s you');
    await page.getByRole('dialog').getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const secret = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
    await ada.see('second-factor', 'Set up an authenticator app');
    await page.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await ada.see('recovery-codes', 'Recovery codes');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Signing in requires a code').waitFor();
  });

  test('a first project is made, its key shown once, and found again by its name', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Projects' }).click();
    await ada.see('projects-empty', 'Your first project');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Book shop');
    await ada.see('new-project', 'New project');
    await page.getByRole('button', { name: 'Create project' }).click();
    const apiKey = (await page.getByText(/^plk_/).textContent()) ?? '';
    await ada.see('new-key', 'Your project’s API key');
    await page.getByRole('button', { name: 'Open the project' }).click();
    await ada.see('home', 'Book shop');
    const server = new Client(t.url, { 'x-api-key': apiKey });
    await server.post('/collections', { name: 'posts' });
    await server.post('/collections/posts', { title: 'Hello' });
    await server.get('/collections/posts');
    await page.getByRole('status').getByText('Your project is responding.').waitFor();
    await ada.see('home-done', 'Book shop');
    await page.goto(`${service}/dashboard`);
    await ada.see('projects', 'Projects');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('book');
    await page.getByRole('option', { name: /Book shop/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Book shop' }).waitFor();
    expect(await page.content()).not.toMatch(/plk_/);
  });

  test('a link signs in once, and leaves the address bar', async () => {
    const token = await signInLinkFor(t.control, 'grace@example.com');
    await using grace = await newVisitor(`${service}/dashboard#token=${token}`);
    await grace.see('projects-of-another', 'Projects');
    expect(grace.page.url()).not.toContain(token);
  });

  test('every part of the kit can be used without eyes or a mouse, in every state', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/kit`);
    await ada.see('kit', 'Kit');
    await page.getByRole('button', { name: 'Show a message' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('Undone').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const send = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Type “posts” to confirm').fill('posts');
    await ada.see('kit-confirm', 'Delete the collection');
    await send.click();
  });

  test('what is not there says so', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/p/aaaaaaaaaaaa`);
    await ada.see('no-project', 'Page not found');
    await page.goto(`${service}/dashboard/nowhere`);
    await ada.see('no-page', 'Page not found');
  });

  test('whoever was signed out elsewhere is led to the sign-in, and back', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/account`);
    await page.getByText('This browser').waitFor();
    await elsewhere.delete('/sessions');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe('/account');
  });

  test('whoever signs out is at the sign-in again', async () => {
    const token = await signInLinkFor(t.control, 'ada@example.com');
    const { page } = ada;
    await page.goto(`${service}/dashboard#token=${token}`);
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.goto(`${service}/dashboard/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
