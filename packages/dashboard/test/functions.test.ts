import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { deploy } from '../../server/test/support/code/deploy.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

const greet = `export const access = 'public';
export default async (request, ctx) => {
  ctx.log.info('called with', request.method);
  if (request.method === 'DELETE') throw new RangeError('Nothing is deleted here.');
  const body = await request.text();
  return { hello: ctx.user?.email ?? 'world', body, shop: request.headers.get('x-shop') };
}`;
const night = `export default { [Symbol.for('plinth.trigger')]: true, kind: 'schedule', cron: '0 3 * * *',
  options: { timeZone: 'Europe/Berlin' }, run: () => {} }`;
const created = `export default { [Symbol.for('plinth.trigger')]: true, kind: 'hook', event: 'post_create',
  collection: 'orders', options: {}, run: (event, ctx) => ctx.log.warn('order', event.document.total) }`;

describe.skipIf(isMissing('chromium'))('the functions of a project', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let app: Client;
  let at: (path: string) => string;
  beforeAll(async () => {
    t = await testApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });
    ({ ada, server, app, at } = await openProject(t));
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('without functions the page says how to begin, and shows a first deployment as it comes', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Functions', exact: true }).click();
    await page.getByText('plinth functions new hello').waitFor();
    await ada.see('functions-empty', 'No functions yet');
    expect((await deploy(server, { 'greet.js': greet })).status).toBe(201);
    await page.getByRole('row').filter({ hasText: 'requests from anyone' }).waitFor();
    await server.post('/collections', { name: 'orders' });
    await deploy(server, { 'greet.js': greet, 'night.js': night, 'created.js': created });
    await page.getByText('at 0 3 * * * (Europe/Berlin)').waitFor();
    await page.getByText('after create in orders').waitFor();
    await app.get('/functions/greet');
    await app.delete('/functions/greet');
    const row = page.getByRole('row').filter({ hasText: 'greet' });
    await row.getByText('2 runs').waitFor();
    await row.getByText('1 failed').waitFor();
    await ada.see('functions', 'Functions');
  });

  test('runs appear as they come, stay still while paused, and pass a filter of the address', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'greet' }).first().waitFor();
    await server.post('/collections/orders', { total: 3 });
    const event = page.getByRole('row').filter({ hasText: 'created' });
    await event.getByText('order 3').waitFor();
    await ada.see('function-runs', 'Functions');
    const rows = await page.getByRole('row').count();
    await page.getByRole('button', { name: 'Pause' }).click();
    await app.get('/functions/greet');
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(rows);
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(rows + 1);
    await page.getByLabel('Outcome').selectOption('Failed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('failed');
    await page.getByLabel('Function', { exact: true }).selectOption('night');
    await ada.see('function-runs-none', 'No runs match this filter');
    await page.getByLabel('Function', { exact: true }).selectOption('Any');
  });

  test('one run has what it printed and threw, and leads to the request', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: /^Run of greet at/ }).click();
    await page.getByText('Nothing is deleted here.').waitFor();
    await page.getByText('called with DELETE').waitFor();
    await page.getByText(/greet\.js:4/).waitFor();
    await ada.see('function-run', /^Run of greet/);
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByText('called with DELETE').waitFor();
        return page.getByRole('link', { name: 'Open the request' }).count();
      })
      .toBe(1);
    await page.getByRole('link', { name: 'Open the request' }).click();
    await page.getByRole('heading', { name: 'DELETE /functions/greet' }).waitFor();
  });

  test('a function is tried with the API key, as nobody and as a user', async () => {
    const { page } = ada;
    await page.goto(at('/functions/greet'));
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path and query').fill('/7?full=1');
    await page.getByLabel('Headers').fill('no header');
    await page.getByText('“no header” is not a header.', { exact: false }).waitFor();
    await page.getByLabel('Headers').fill('X-Shop: 7');
    await page.getByRole('textbox', { name: 'Body' }).fill('{"a": 1}');
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('200', { exact: true }).waitFor();
    await answer.getByText('"shop": "7"').waitFor();
    await answer.getByText('called with POST').waitFor();
    await ada.see('function-try', 'greet');
    const curl = (await page.getByLabel('As curl').last().textContent()) ?? '';
    expect(curl).toMatch(
      /^curl -g 'http.*\/functions\/greet\/7\?full=1' -H "X-API-Key: \$PLINTH_KEY" -H 'Content-Type: application\/json' -H 'X-Shop: 7' --data-raw '\{"a": 1\}'$/,
    );

    await page.getByLabel('Method').selectOption('DELETE');
    await page.getByRole('radio', { name: 'Anonymous' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.getByText('500', { exact: true }).waitFor();
    await answer.getByText('RangeError').waitFor();
    await ada.see('function-try-failed', 'greet');

    const email = 'eve@example.com';
    await server.post('/auth-collections/users', { email, password: 'correct horse battery' });
    await page.getByRole('radio', { name: 'A user' }).check();
    await page.getByText('As a user, only GET and HEAD', { exact: false }).waitFor();
    await page.getByLabel('Method').selectOption('GET');
    await page.getByRole('combobox', { name: 'User' }).fill('eve');
    await page.getByRole('option', { name: email }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.getByText('"hello": "eve@example.com"').waitFor();
  });

  test('what only runs by itself cannot be tried', async () => {
    await ada.page.goto(at('/functions/night?part=try'));
    await ada.see('function-try-schedule', 'Only HTTP functions can be tried here');
  });

  test('another version runs once somebody has confirmed it, and can be taken back', async () => {
    const { page } = ada;
    await page.goto(at('/functions?part=versions'));
    await ada.see('function-versions', 'Functions');
    const goBack = page.getByRole('button', { name: 'Roll back to version 1' });
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 1' });
    await goBack.click();
    await page.getByText('It removes', { exact: false }).waitFor();
    await ada.see('function-versions-confirm', 'Roll back to version 1');
    await confirm.click();
    await page.getByText('Version 1 is live', { exact: true }).waitFor();
    const active = async () => {
      const { body } = await server.get('/deployments');
      return body.data.find((one: { isActive: boolean }) => one.isActive).version;
    };
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(active).toBe(2);
    await goBack.click();
    await confirm.click();
    await expect.poll(active).toBe(1);
  });
});
