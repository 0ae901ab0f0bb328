import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the requests of a project', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let project: string;
  beforeAll(async () => {
    t = await testApp();
    const opened = await openProject(t);
    ({ ada, server } = opened);
    project = opened.at('');
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('calls are shown as they come, without those of the dashboard', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Requests' }).click();
    await ada.see('requests-empty', 'No requests yet');
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await server.post('/collections', { name: 'books', settings: { rules: { read: 'users' } } });
    await server.get('/collections/nothing');
    await page.getByRole('link', { name: 'POST /collections' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'GET /collections/nothing' });
    await row.getByText('404').waitFor();
    await row.getByText('collection_not_found').waitFor();
    await row.getByText('API key').waitFor();
    await ada.see('requests', 'Requests');
  });

  test('while it is paused nothing moves, and what came is counted', async () => {
    const { page } = ada;
    // A stream ends after a minute; this one has just begun.
    await page.reload();
    await page.getByRole('link', { name: 'POST /collections' }).waitFor();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await server.get('/collections/books?limit=1');
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await page.getByRole('link', { name: /^GET \/collections\/books/ }).waitFor();
  });

  test('a filter is part of the address, and one call is shown whole', async () => {
    const { page } = ada;
    await page.getByLabel('Status').selectOption('Client error (4xx)');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('status')).toBe('refused');
    await page.getByLabel('Slower than').selectOption('5 seconds');
    await ada.see('requests-none-fits', 'No requests match this filter');
    // Changes in a row all count, though the page has not followed the first of them.
    await page.evaluate(`for (const [name, value] of [['Slower than', 'any'], ['Who', 'anyone']]) {
      const label = [...document.querySelectorAll('label')].find((one) => one.textContent.startsWith(name));
      label.control.value = value;
      label.control.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ status: 'refused', who: 'anyone' });
    await page.getByLabel('Who').selectOption('apps');
    const link = page.getByRole('link', { name: 'GET /collections/nothing' });
    await link.waitFor();
    const [, id = ''] = /\/requests\/([\w-]+)/.exec((await link.getAttribute('href')) ?? '') ?? [];
    await link.click();
    await page.getByText('collection_not_found').waitFor();
    await page.getByText(id).waitFor();
    await page.getByText(/^There is no collection "nothing"/).waitFor();
    await ada.see('request', 'GET /collections/nothing');
    const curl = (await page.getByLabel('Repeat this request').last().textContent()) ?? '';
    expect(curl).toMatch(/^curl 'http.*\/collections\/nothing' -H "X-API-Key: \$PLINTH_KEY"$/);
  });

  test('only calls that pass the filter come, and a live connection is the member’s', async () => {
    const { page } = ada;
    await page.goto(`${project}/requests?slower=5000`);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await ada.see('requests-slow', 'No requests match this filter');
    await page.goto(`${project}/realtime?collection=books`);
    // Whoever leaves before it is there has made no connection.
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.goto(`${project}/requests?who=account`);
    await page.getByRole('link', { name: 'GET /realtime', exact: true }).first().click();
    await page.getByText('Dashboard, ada@example.com').waitFor();
  });

  test('a call that the rules refused leads to the tester of rules', async () => {
    const { page } = ada;
    const made = await server.post('/collections/books', { title: 'Emma' });
    const { id } = made.body.data;
    const email = 'eve@example.com';
    const signUp = await server.post('/auth-collections/users', { email, password: 'correct horse battery' });
    const user: string = signUp.body.data.id;
    const login = await server.post('/auth-collections/login', { email, password: 'correct horse battery' });
    const [, ref] = /\/p\/(\w+)/.exec(project) ?? [];
    const eve = new Client(`${t.url}/p/${ref}`, { authorization: `Bearer ${login.body.access_token}` });
    expect((await eve.patch(`/collections/books/${id}`, { title: 'Mine' })).status).toBe(403);
    await page.goto(`${project}/requests?user=${user}&status=failed`);
    await page.getByRole('link', { name: `PATCH /collections/books/${id}` }).click();
    const why = page.getByRole('link', { name: 'Why was this denied?' });
    expect(await why.getAttribute('href')).toBe(
      `/dashboard/p/${ref}/data/books/rules?as=${user}&action=update&doc=${id}`,
    );
    await page.getByRole('link', { name: 'All requests from this user' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('user')).toBe(user);
    await ada.see('requests-of-user', 'Requests');
  });
});
