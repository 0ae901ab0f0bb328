import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type MailApp, mailApp } from '../../server/test/support/people/mail-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

const password = 'correct horse battery';

describe.skipIf(isMissing('chromium'))('the users of a project', () => {
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

  const userOf = async (email: string) =>
    (await opened.server.get(`/auth-collections/users?email=${email}`)).body.data[0];
  const signUp = async (email: string) =>
    (await opened.app.post('/auth-collections/signup', { email, password })).body.access_token as string;
  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await opened.app.get('/auth-collections/user', { headers })).status;
  };

  /** Runs a statement about a user where the user is. */
  const give = async (statement: string, id: string) => {
    for (const cell of t.cells.numbers) await t.cells.pool(cell).query(statement, [id]);
  };

  test('somebody is invited, and gets a link to set a password', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Users' }).click();
    await ada.see('users-empty', 'No users yet');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.getByLabel('Email', { exact: true }).fill('bea@example.com');
    await dialog.getByLabel('Name').fill('Bea');
    await dialog.getByLabel('Role').fill('editor');
    await ada.see('user-new', 'New user');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('status').getByText('a link is on its way to bea@example.com').waitFor();
    await page.getByRole('heading', { name: 'bea@example.com' }).waitFor();
    expect(await userOf('bea@example.com')).toMatchObject({ role: 'editor', data: { name: 'Bea' } });
    expect((await t.mail.mailTo('bea@example.com')).text).toContain(
      '/auth-collections/reset-password?token=',
    );
    await ada.see('user', 'bea@example.com');
  });

  test('account, data and claims are changed', async () => {
    const { page } = opened.ada;
    await page.getByLabel('Role').fill('author');
    await page.getByRole('switch', { name: 'Email address is verified' }).click();
    const account = page.getByRole('region', { name: 'Account' });
    await account.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => userOf('bea@example.com'))
      .toMatchObject({ role: 'author', email_verified: true });
    const data = page.getByRole('region', { name: 'Data' });
    await data.getByLabel('Data as JSON').fill('{"city": ');
    await data.getByRole('alert').waitFor();
    await data.getByLabel('Data as JSON').fill('{"city": "Lagos"}');
    await data.getByRole('button', { name: 'Save' }).click();
    const claims = page.getByRole('region', { name: 'Claims' });
    await claims.getByLabel('Claims as JSON').fill('{"plan": "pro"}');
    await claims.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await userOf('bea@example.com')).claims).toEqual({ plan: 'pro' });
    await expect.poll(async () => (await userOf('bea@example.com')).data).toEqual({ city: 'Lagos' });
  });

  test('a list is searched and filtered, in the address too', async () => {
    const { ada, server } = opened;
    const { page } = ada;
    for (let n = 0; n < 55; n += 1)
      await server.post('/auth-collections/users', { email: `reader${n}@example.org`, data: { n } });
    await page.getByRole('link', { name: 'Users' }).first().click();
    await page.getByText('1 to 50 of 56').waitFor();
    await ada.see('users', 'Users');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 56 of 56').waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.getByLabel('Search').fill('READER5');
    await page.getByText('1 to 6 of 6').waitFor();
    await page.getByRole('textbox', { name: 'Filter' }).fill('data.n__gt=52');
    await page.getByText('1 to 2 of 2').waitFor();
    await page.reload();
    await page.getByText('1 to 2 of 2').waitFor();
    await page.getByLabel('Email address').selectOption('Verified');
    await ada.see('users-none', 'No users match this filter');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByText('1 to 50 of 56').waitFor();
  });

  test('sign-ins end one by one, all at once, by a new password and by suspension', async () => {
    const { ada, app, server } = opened;
    const { page } = ada;
    let token = await signUp('cleo@example.com');
    await app.post(
      '/auth-collections/login',
      { email: 'cleo@example.com', password },
      { headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' } },
    );
    await page.getByLabel('Search').fill('cleo');
    await page.getByRole('link', { name: 'cleo@example.com' }).click();
    const signIns = page.getByRole('region', { name: 'Sessions' });
    await signIns.getByText('Firefox, Windows').waitFor();
    await ada.see('user-sign-ins', 'Sessions');
    await signIns.getByRole('button', { name: 'End the session on Firefox, Windows' }).click();
    await page.getByRole('status').getByText('Session ended').waitFor();
    const { id } = await userOf('cleo@example.com');
    const left = (await server.get(`/auth-collections/users/${id}/sessions`)).body.data;
    expect(left).toMatchObject([{ method: 'sign-up' }]);
    expect(await statusOf(token)).toBe(200);
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
    await expect.poll(() => statusOf(token)).toBe(401);
    const logIn = async (secret: string) => {
      const { status, body } = await app.post('/auth-collections/login', {
        email: 'cleo@example.com',
        password: secret,
      });
      token = body.access_token;
      return status;
    };
    await expect.poll(() => logIn(password)).toBe(200);
    await page.getByRole('button', { name: 'Set a password', exact: true }).click();
    await page.getByRole('dialog').getByLabel('New password').fill('a better horse');
    await page.getByRole('dialog').getByRole('button', { name: 'Set a password', exact: true }).click();
    await expect.poll(() => statusOf(token)).toBe(401);
    expect(await logIn('a better horse')).toBe(200);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended: this user cannot sign in.').waitFor();
    expect(await logIn('a better horse')).toBe(403);
    await ada.see('user-suspended', 'cleo@example.com');
    await page.getByRole('button', { name: 'Lift suspension' }).click();
    await expect.poll(() => logIn('a better horse')).toBe(200);
  });

  test('providers and passkeys are removed, the last way in only by whoever means it', async () => {
    const { ada, server, at } = opened;
    const { page } = ada;
    const { id } = (await server.post('/auth-collections/users', { email: 'dora@example.com' })).body.data;
    await give(
      `INSERT INTO cell.identities (project_id, provider, subject, user_id, email, is_vouched)
      SELECT project_id, 'google', 'dora', id, email, true FROM cell.app_users WHERE id = $1`,
      id,
    );
    await give(
      `INSERT INTO cell.passkeys (project_id, id, user_id, public_key, sign_count, transports, name, aaguid,
        backed_up, rp_id)
      SELECT project_id, 'Rk9PQkFS', id, '', 0, '{}', 'Phone', gen_random_uuid(), true, 'example.com' FROM cell.app_users
      WHERE id = $1`,
      id,
    );
    await page.goto(at(`/users/${id}`));
    const waysIn = page.getByRole('region', { name: 'Providers and passkeys' });
    await waysIn.getByText('dora@example.com, connected').waitFor();
    await ada.see('user-ways-in', 'Providers and passkeys');
    await waysIn.getByRole('button', { name: 'Remove Google' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('status').getByText('Google removed').waitFor();
    expect((await server.get(`/auth-collections/users/${id}/identities`)).body.data).toEqual([]);
    await waysIn.getByRole('button', { name: 'Remove Passkey Phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('This is their only sign-in method.').waitFor();
    expect((await server.get(`/auth-collections/users/${id}/passkeys`)).body.data).toHaveLength(1);
    await ada.see('user-last-way', 'Remove Passkey Phone');
    await page.getByRole('dialog').getByLabel('Type “Passkey Phone” to confirm').fill('Passkey Phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the last sign-in method' }).click();
    await waysIn.getByText('None. Users connect a provider').waitFor();
    expect((await server.get(`/auth-collections/users/${id}/passkeys`)).body.data).toEqual([]);
  });

  test('a user is deleted by whoever types the address', async () => {
    const { page } = opened.ada;
    await page.goto(opened.at(`/users/${(await userOf('cleo@example.com')).id}`));
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete user' });
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type “cleo@example.com” to confirm').fill('cleo@example.com');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    expect(await userOf('cleo@example.com')).toBeUndefined();
  });
});
