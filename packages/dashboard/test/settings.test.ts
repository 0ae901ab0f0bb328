import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInLinkFor } from '../../server/src/features/management/accounts/index.ts';
import { sql } from '../../server/src/platform/db/sql.ts';
import { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import {
  goodPassword,
  type Manager,
  newManager,
  newProject,
} from '../../server/test/support/management/dashboard.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the settings of a project', () => {
  let t: TestApp;
  let service: string;
  let ada: Visitor;
  let owner: Manager;
  let ref: string;
  let apiKey: string;
  beforeAll(async () => {
    t = await testApp();
    service = t.url.replace('127.0.0.1', 'localhost');
    owner = await newManager(t, 'ada@example.com');
    ({ ref, apiKey } = await newProject(owner, 'Library'));
    const token = await signInLinkFor(t.control, 'ada@example.com');
    ada = await newVisitor(`${service}/dashboard/p/${ref}/settings#token=${token}`);
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const project = async () => (await owner.get(`/projects/${ref}`)).body.data;
  const configs = async (key: string) =>
    (await owner.get(`/projects/${ref}/configs`)).body.data.find(
      (config: { readonly key: string }) => config.key === key,
    );

  test('the project is renamed, and the name taken back', async () => {
    const { page } = ada;
    await ada.see('settings', 'Settings');
    const name = async () => (await project()).name;
    const rename = async (to: string) => {
      await page.getByRole('textbox', { name: 'Name' }).fill(to);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await rename('Town library');
    await page.getByRole('status').getByText('Renamed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(name).toBe('Library');
    await rename('Town library');
    await expect.poll(name).toBe('Town library');
    await rename('Library');
    await expect.poll(name).toBe('Library');
  });

  test('the API key is replaced by whoever has just signed in, and shown once', async () => {
    const { page } = ada;
    await t.control.query(sql`UPDATE control.account_sessions SET signed_in_at = now() - interval '1 hour'
      WHERE account_id = ${owner.id}::uuid`);
    await t.control.query(sql`SELECT pg_notify('plinth', 'account-session:' || encode(token_hash, 'hex'))
      FROM control.account_sessions`);
    await t.app.caughtUp();
    await page.getByRole('button', { name: 'Replace API key' }).click();
    await page.getByLabel('Type “Library” to confirm').fill('Library');
    await ada.see('replace-key', 'Replace API key');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace API key' }).click();
    await ada.see('replace-key-again', 'Confirm it’s you');
    await page.getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const newKey = (await page.getByText(/^plk_\w{20}/).textContent()) ?? '';
    await ada.see('replaced-key', 'New API key');
    await page.keyboard.press('Escape');
    expect((await new Client(t.url, { 'x-api-key': apiKey }).get('/collections')).status).toBe(401);
    expect((await new Client(t.url, { 'x-api-key': newKey }).get('/collections')).status).toBe(200);
    await expect.poll(() => page.content()).not.toMatch(/plk_\w{20}/);
  });

  test('origins, uploads and rooms are set, one by one, and taken back', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByLabel('Add an origin').fill('app.example.com');
    await page.getByRole('button', { name: 'Add' }).first().click();
    await page.getByText('is not an origin').waitFor();
    await page.getByLabel('Add an origin').fill('https://app.example.com/shelf?book=1');
    await page.getByRole('button', { name: 'Add' }).first().click();
    await page.getByRole('button', { name: 'Remove https://app.example.com' }).waitFor();
    await expect.poll(async () => (await project()).allowedOrigins).toEqual(['https://app.example.com']);
    await page.getByRole('radio', { name: 'Servers only' }).click();
    await expect.poll(async () => (await project()).settings.uploads).toBe('server');
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await project()).settings.uploads).toBe('users');
    await page.getByLabel('Room names').fill('chat-*');
    await page.getByRole('button', { name: 'Add' }).last().click();
    await page.getByRole('button', { name: 'Remove chat-*' }).waitFor();
    await expect.poll(async () => (await project()).settings.rooms).toEqual({ 'chat-*': 'users' });
    await ada.see('settings-access', 'Origins');
    await page.getByRole('button', { name: 'Remove https://app.example.com' }).click();
    await expect.poll(async () => (await project()).allowedOrigins).toEqual([]);
  });

  test('answers and language', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Responses and emails' }).click();
    await page.getByLabel('Language').selectOption('German');
    await expect.poll(async () => (await project()).settings.language).toBe('de');
    await ada.see('settings-answers', 'On other pages');
  });

  test('configs say what they mean; only what changed is sent, and can be taken back', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByText('Number of digits of the codes that are sent.').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
    });
    await page.getByLabel('OTP_LENGTH', { exact: true }).fill('99');
    await page.getByRole('button', { name: 'Save OTP_LENGTH' }).click();
    await page.getByText('OTP_LENGTH must be an integer, 4 to 10').waitFor();
    await page.getByLabel('OTP_LENGTH', { exact: true }).fill('4');
    await page.getByRole('button', { name: 'Save OTP_LENGTH' }).click();
    await page.getByText('Codes of fewer than 6 digits are easier to guess.').waitFor();
    expect(sent).toEqual(['{"OTP_LENGTH":"99"}', '{"OTP_LENGTH":"4"}']);
    expect(await configs('OTP_LENGTH')).toMatchObject({ value: 4, isSet: true });
    await page.getByRole('button', { name: 'Use default for OTP_LENGTH' }).click();
    await expect.poll(() => configs('OTP_LENGTH')).toMatchObject({ value: 6, isSet: false });
    const secondStep = page.getByRole('switch', { name: 'ENABLE_2FA' });
    await secondStep.click();
    await page.getByRole('status').getByText('ENABLE_2FA saved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => configs('ENABLE_2FA')).toMatchObject({ value: false, isSet: false });
    await expect.poll(() => secondStep.isChecked()).toBe(false);
    await secondStep.click();
    await expect.poll(() => configs('ENABLE_2FA')).toMatchObject({ value: true });
    await page.getByRole('button', { name: 'Allow none: ALLOWED_SELF_ROLES' }).click();
    await expect.poll(() => configs('ALLOWED_SELF_ROLES')).toMatchObject({ value: '', warning: null });
    await ada.see('settings-configs', 'Sign-in and emails');
  });

  test('a key for one purpose is made, shown once, works within its scopes, and is revoked', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/p/${ref}/keys`);
    await ada.see('keys-empty', 'No additional keys yet');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What is it for?').fill('Report');
    await page.getByRole('button', { name: 'read usage' }).click();
    await ada.see('new-scoped-key', 'New key');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByText(/^plk_\w{20}/).textContent()) ?? '';
    const report = new Client(t.url, { 'x-api-key': key });
    expect((await report.get('/usage')).status).toBe(200);
    expect((await report.get('/collections')).body.error).toMatchObject({ code: 'scope_missing' });
    await page.keyboard.press('Escape');
    await page.getByText('usage:read').waitFor();
    await ada.see('keys', 'Keys');
    await page.getByRole('button', { name: 'Edit Report' }).click();
    await page.getByLabel('What is it for?').fill('Report and rules');
    await page.getByLabel('Scopes').fill('usage:read collections:read');
    await ada.see('change-key', 'Edit Report');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect((await report.get('/collections')).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke Report and rules' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No additional keys yet').waitFor();
    expect((await report.get('/usage')).status).toBe(401);
  });

  test('variables are set, replaced and deleted; no value is ever on the page again', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/p/${ref}/env`);
    await ada.see('variables-empty', 'No variables yet');
    await page.getByRole('button', { name: 'New variable' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('stripe key');
    await page.getByLabel('Value').fill('sk_live_secret');
    await ada.see('new-variable', 'New variable');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Replace STRIPE_KEY' }).click();
    await page.getByLabel('Value').fill('sk_live_other');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('STRIPE_KEY saved').waitFor();
    await expect.poll(() => page.content()).not.toContain('sk_live');
    await ada.see('variables', 'Variables');
    expect((await owner.get(`/projects/${ref}/env`)).body.data).toEqual(['STRIPE_KEY']);
    await page.getByRole('button', { name: 'Delete STRIPE_KEY' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No variables yet').waitFor();
    expect((await owner.get(`/projects/${ref}/env`)).body.data).toEqual([]);
  });

  test('the audit log says who did all this, and is searched by its address', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/p/${ref}/audit`);
    await page.getByRole('cell', { name: 'Set origins' }).first().waitFor();
    await ada.see('audit', 'Audit log');
    await page.getByLabel('Action').selectOption('Set origins');
    await expect.poll(() => page.getByRole('cell', { name: 'Delete variable' }).count()).toBe(0);
    await page.getByRole('cell', { name: 'Set origins' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('action')).toBe('setOrigins');
    await page.getByLabel('Action').selectOption('Any');
    await page.getByLabel('Member').selectOption('ada@example.com');
    await page.getByLabel('From').fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
    await page.getByRole('cell', { name: 'Set origins' }).first().waitFor();
    await page.getByLabel('Until').fill('2020-01-01');
    await ada.see('audit-filtered', 'No entries match');
    await page.goto(`${service}/dashboard/p/${ref}/audit`);
    await page.getByLabel('Filter', { exact: true }).fill('env stripe');
    await page.getByRole('cell', { name: 'Delete variable' }).waitFor();
    await expect.poll(() => page.getByRole('cell', { name: 'Set origins' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('filter')).toBe('env stripe');
    await page.getByLabel('Filter', { exact: true }).fill('nothing like it');
    await ada.see('audit-none', 'No entries match');
  });

  test('the project is deleted by its name, and restored from the page of projects', async () => {
    const { page } = ada;
    await page.goto(`${service}/dashboard/p/${ref}/settings`);
    await page.getByRole('link', { name: 'Transfer and delete' }).click();
    await ada.see('settings-end', 'Transfer the project');
    await page.getByRole('button', { name: 'Delete the project' }).click();
    await page.getByLabel('Type “Library” to confirm').fill('Library');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the project' }).click();
    await page.getByRole('heading', { name: 'Deleted projects' }).waitFor();
    expect((await owner.get(`/projects/${ref}`)).status).toBe(404);
    await ada.see('projects-deleted', 'Deleted projects');
    await page.getByRole('button', { name: 'Restore Library' }).click();
    await page.getByRole('link', { name: /Library/ }).waitFor();
    expect((await project()).name).toBe('Library');
  });
});
