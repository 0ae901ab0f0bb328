import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInLinkFor } from '../../server/src/features/management/accounts/index.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type Manager, newManager, newProject } from '../../server/test/support/management/dashboard.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the team of a project', () => {
  let t: TestApp;
  let service: string;
  let owner: Manager;
  let ref: string;
  let ada: Visitor;
  let grace: Visitor;
  beforeAll(async () => {
    t = await testApp();
    service = t.url.replace('127.0.0.1', 'localhost');
    owner = await newManager(t, 'ada@example.com');
    await owner.patch('/account', { name: 'Ada' });
    ({ ref } = await newProject(owner, 'Library'));
    const token = await signInLinkFor(t.control, 'ada@example.com');
    ada = await newVisitor(`${service}/dashboard/p/${ref}/team#token=${token}`);
    const link = await signInLinkFor(t.control, 'grace@example.com');
    grace = await newVisitor(`${service}/dashboard#token=${link}`);
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await grace?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const team = async () =>
    (await owner.get(`/projects/${ref}/team`)).body.data.map(
      ({ email, role }: { readonly email: string; readonly role: string }) => `${email} ${role}`,
    );
  const invited = async () =>
    (await owner.get(`/projects/${ref}/invitations`)).body.data.map(
      ({ email }: { readonly email: string }) => email,
    );

  test('somebody is invited, the link is passed on, and an invitation is withdrawn', async () => {
    const { page } = ada;
    await ada.see('team', 'Team');
    for (const email of ['grace@example.com', 'eve@example.com']) {
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByText(/\/account\/join\?token=/).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `Revoke the invitation for ${email}` }).waitFor();
    }
    await page.getByRole('button', { name: 'Resend to grace@example.com' }).click();
    await ada.see('invitation-link', 'Link for grace@example.com');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke the invitation for eve@example.com' }).click();
    await page.getByRole('status').getByText('Invitation for eve@example.com revoked').waitFor();
    expect(await invited()).toEqual(['grace@example.com']);
    await ada.see('team-invited', 'Team');
  });

  test('whoever is invited sees it among the projects, and accepts', async () => {
    const { page } = grace;
    await page.reload();
    await page.getByText('ada@example.com invited you').waitFor();
    await grace.see('projects-invited', 'Invitations');
    await page.getByRole('button', { name: 'Accept the invitation to Library' }).click();
    await page.getByRole('status').getByText('You joined Library.').waitFor();
    expect(await team()).toEqual(['ada@example.com owner', 'grace@example.com teammate']);
    await page.getByRole('link', { name: /Library/ }).click();
    await page.getByRole('heading', { name: 'Library' }).waitFor();
  });

  test('a teammate sees what only the owner may do, and why', async () => {
    const { page } = grace;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Only the owner can rename the project.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Replace API key' }).isDisabled()).toBe(true);
    await grace.see('settings-teammate', 'Settings');
    await page.getByRole('link', { name: 'Transfer and delete' }).click();
    await page.getByText('Only the owner can delete the project.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete the project' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('Only the owner can create, change and revoke keys.').waitFor();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByText('Only the owner can invite people.').waitFor();
    await grace.see('team-teammate', 'Team');
  });

  test('the project is given away; then who owned it leaves', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Transfer and delete' }).click();
    await page.getByRole('button', { name: 'Transfer the project' }).click();
    await page.getByLabel('Type “Library” to confirm').fill('Library');
    await ada.see('transfer', 'Transfer the project');
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer the project' }).click();
    await page.getByText('Only the owner can transfer the project.').waitFor();
    expect(await team()).toEqual(['grace@example.com owner', 'ada@example.com teammate']);
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('button', { name: 'Leave the project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the project' }).click();
    await page.getByRole('status').getByText('You left Library.').waitFor();
    expect((await owner.get(`/projects/${ref}`)).status).toBe(404);
    await ada.see('projects-after-leaving', 'Your first project');
  });

  test('the owner removes a teammate', async () => {
    const { page } = grace;
    await page.goto(`${service}/dashboard/p/${ref}/team`);
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText(/\/account\/join\?token=/).waitFor();
    const [own] = (await owner.get('/invitations')).body.data;
    await owner.post('/invitations/accept', { id: own.id });
    await page.reload();
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await grace.see('remove-teammate', 'Remove ada@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('status').getByText('ada@example.com removed').waitFor();
    expect((await owner.get(`/projects/${ref}`)).status).toBe(404);
  });
});
