import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the rules of a collection', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let bob: string;
  let draft: string;
  beforeAll(async () => {
    t = await testApp();
    ({ ada, server } = await openProject(t, 'Blog'));
    const { page } = ada;
    await server.post('/collections', { name: 'posts' });
    const made = await server.post('/auth-collections/users', {
      email: 'bob@example.com',
      password: 'battery staple',
    });
    bob = made.body.data.id;
    await server.post('/collections/posts', { title: 'News', status: 'published', author_id: bob });
    draft = (
      await server.post('/collections/posts', {
        title: 'Secret plan',
        status: 'draft',
        author_id: 'somebody',
      })
    ).body.data.id;
    await page.getByRole('link', { name: 'Data' }).click();
    await page.getByRole('link', { name: 'posts' }).click();
    await page.getByRole('link', { name: 'Rules' }).click();
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const rules = async () =>
    (await server.get('/collections')).body.data.find(({ name }: { name: string }) => name === 'posts')
      .settings;

  test('rules are said, completed, saved and taken back', async () => {
    const { page } = ada;
    await page.getByText('Every rule is locked').waitFor();
    await ada.see('rules', 'posts');
    await page.getByRole('button', { name: 'Private to each user' }).click();
    await page.getByText('App users can read their own documents (user_id).').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    const read = page.getByRole('region', { name: 'Read', exact: true });
    await read.getByRole('radio', { name: 'Custom conditions' }).check();
    const conditions = page.getByRole('combobox', { name: 'Conditions: Read' });
    await conditions.fill('auth');
    await page.getByRole('option', { name: /^author_id/ }).click();
    await page.getByRole('option', { name: /^author_id=/ }).click();
    await page.getByRole('option', { name: /@user\.id/ }).click();
    await page.getByText('Anyone signed in can read documents where author_id is their ID.').waitFor();
    await conditions.fill('[or]status=published&[or]author_id=@user.id');
    await page
      .getByText('Everyone can read documents where status is “published” or author_id is their ID.')
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Create' }).getByRole('radio', { name: 'Everyone' }).check();
    await page.getByText('can fill the collection').waitFor();
    await page
      .getByRole('region', { name: 'Delete', exact: true })
      .getByRole('radio', { name: 'The owner' })
      .check();
    await page.getByRole('alert').getByText('Enter the owner field').waitFor();
    await page.getByRole('combobox', { name: 'Owner field' }).fill('author_id');
    await ada.see('rules-changed', 'posts');
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save rules', exact: true }).click();
    await page.getByText('Rules saved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    const { data } = await (await saved).json();
    expect(data.settings).toMatchObject({
      ownerField: 'author_id',
      rules: {
        read: '[or]status=published&[or]author_id=@user.id',
        create: 'public',
        update: 'locked',
        delete: 'owner',
      },
    });
    await expect.poll(async () => (await rules()).rules.read).toBe('locked');
    await page.getByText('Every rule is locked').waitFor();
  });

  test('mistakes are explained, and what may not be meant is warned of', async () => {
    const { page } = ada;
    const read = page.getByRole('region', { name: 'Read', exact: true });
    await read.getByRole('radio', { name: 'Custom conditions' }).check();
    const conditions = page.getByRole('combobox', { name: 'Conditions: Read' });
    await conditions.fill('author_id=@user.name');
    await page.getByRole('alert').getByText('Unknown reference “@user.name”.').waitFor();
    expect(await page.getByRole('button', { name: 'Save rules', exact: true }).isDisabled()).toBe(true);
    await conditions.fill('statsu=published');
    await page.getByText('No sampled document has the field “statsu”.').waitFor();
    await conditions.fill('status= published');
    await page.getByRole('button', { name: 'Save rules', exact: true }).click();
    await page.getByRole('alert').getByText('write status=published instead').waitFor();
    await conditions.fill('team=@user.data.team');
    await page.getByRole('button', { name: 'Save rules', exact: true }).click();
    await page.getByText('trusts @user.data').waitFor();
    await conditions.fill('[or]status=published&[or]author_id=@user.id');
    await page.getByRole('button', { name: 'Save rules', exact: true }).click();
    await expect.poll(async () => (await rules()).rules.read).toContain('[or]status=published');
  });

  test('why somebody may not see a document is said condition by condition, and is a link', async () => {
    const { page } = ada;
    await page.getByRole('radio', { name: 'A user' }).check();
    await page.getByRole('combobox', { name: 'User' }).fill('bob');
    await page.getByRole('option', { name: /bob@example\.com/ }).click();
    await page.getByRole('combobox', { name: 'Document' }).fill('secret');
    await page.getByRole('option', { name: /Secret plan/ }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    const answer = page.getByRole('region', { name: 'Result' });
    await answer.getByText('Denied').first().waitFor();
    await answer.getByText('One of these').waitFor();
    expect(await answer.getByText('does not match').count()).toBe(3);
    await answer.getByText('"draft"').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('as'), searchParams.get('action'), searchParams.get('doc')]).toEqual([
      bob,
      'read',
      draft,
    ]);
    await page.reload();
    await answer.getByText('Denied').first().waitFor();
    await ada.see('rules-why', 'posts');
    await page.getByRole('link', { name: 'View the collection as bob@example.com' }).click();
    const seen = page.getByRole('region', { name: 'What bob@example.com sees' });
    await seen.getByRole('link', { name: 'News' }).waitFor();
    expect(await seen.getByRole('link', { name: 'Secret plan' }).count()).toBe(0);
    await ada.see('rules-seen', 'posts');
    await seen.getByRole('link', { name: /^Why/ }).click();
    await answer.getByText('Allowed').first().waitFor();
    await answer.getByText('bob@example.com can read “News”.').waitFor();
  });

  test('the collection is seen as by somebody who is not signed in', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('link', { name: 'View as a user or anonymous' }).click();
    const seen = page.getByRole('region', { name: 'What an anonymous visitor sees' });
    await seen.getByRole('link', { name: 'News' }).waitFor();
    expect(await seen.getByRole('link', { name: 'Secret plan' }).count()).toBe(0);
    await ada.see('rules-seen-by-nobody', 'posts');
    await page.getByRole('radio', { name: 'A user' }).check();
    await page.getByRole('radio', { name: 'Anonymous' }).check();
    await page.getByRole('combobox', { name: 'Document' }).fill('secret');
    await page.getByRole('option', { name: /Secret plan/ }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('link', { name: 'View the collection as an anonymous visitor' }).waitFor();
  });

  test('a change is judged as it is and as it would become; the API key skips the rules', async () => {
    const { page } = ada;
    await page.getByRole('radio', { name: 'Anonymous' }).check();
    await page.getByRole('radio', { name: 'Create', exact: true }).check();
    await page.getByLabel('New document as JSON').fill('{"title": "Mine"}');
    await page.getByRole('button', { name: 'Test' }).click();
    const answer = page.getByRole('region', { name: 'Result' });
    await answer.getByText('only the API key has access').waitFor();
    await server.patch('/collections/posts', { settings: { rules: { update: 'author_id=@user.id' } } });
    await page.getByRole('radio', { name: 'A user' }).check();
    await page.getByRole('combobox', { name: 'User' }).fill(bob);
    await page.getByRole('radio', { name: 'Update', exact: true }).check();
    await page.getByRole('combobox', { name: 'Document' }).fill('News');
    await page.getByRole('option', { name: /News/ }).click();
    await page.getByLabel('Changes as JSON').fill('{"author_id": "somebody"}');
    await page.getByRole('button', { name: 'Test' }).click();
    await answer.getByText('bob@example.com cannot update “News”.').waitFor();
    expect(await answer.getByText('Rule “Update”').count()).toBe(2);
    await page.getByRole('radio', { name: 'The API key', exact: true }).check();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('Requests with the API key bypass the rules.', { exact: true }).waitFor();
  });

  test('somebody made up is judged by a role and claims', async () => {
    const { page } = ada;
    await server.patch('/collections/posts', { settings: { rules: { read: '@user.claims.team=red' } } });
    await page.getByRole('radio', { name: 'A made-up user' }).check();
    await page.getByRole('radio', { name: 'Read', exact: true }).check();
    await page.getByRole('combobox', { name: 'Document' }).fill('News');
    await page.getByRole('option', { name: /News/ }).click();
    const who = page.getByLabel('User as JSON');
    await who.fill('{"role": ');
    expect(await page.getByRole('button', { name: 'Test' }).isDisabled()).toBe(true);
    await who.fill('{"role": "editor", "claims": {"team": "red"}}');
    await page.getByRole('button', { name: 'Test' }).click();
    const answer = page.getByRole('region', { name: 'Result' });
    await answer.getByText('This user can read').waitFor();
    await ada.see('rules-made-up', 'posts');
    await who.fill('{"claims": {"team": "blue"}}');
    await page.getByRole('button', { name: 'Test' }).click();
    await answer.getByText('This user cannot read').waitFor();
    await page.reload();
    await answer.getByText('This user cannot read').waitFor();
  });

  test('a field has rules of its own', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByRole('textbox', { name: 'Field' }).fill('likes');
    await page.getByRole('combobox', { name: 'Who can update it' }).fill('users');
    await page.getByRole('button', { name: 'Save field rules' }).click();
    await expect
      .poll(async () => (await rules()).fieldRules)
      .toEqual({ likes: { create: 'locked', update: 'users' } });
    await ada.see('rules-fields', 'posts');
  });
});
