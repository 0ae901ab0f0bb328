import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { deploy } from '../../server/test/support/code/deploy.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { choose } from './choose.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

const other = 'export default () => "other"';

describe.skipIf(isMissing('chromium'))('the code of functions', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let at: (path: string) => string;
  beforeAll(async () => {
    t = await testApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });
    ({ ada, server, at } = await openProject(t));
    await deploy(server, { 'other.js': other });
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  /** As a person replaces a text: all of it goes, then the other is typed. */
  async function write(editor: string, text: string) {
    const { page } = ada;
    await page.getByRole('textbox', { name: editor }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  }

  test('a new function is written, checked and deployed beside what runs', async () => {
    const { page } = ada;
    await page.goto(at('/functions'));
    await page.getByRole('link', { name: 'New function' }).click();
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    await page.getByLabel('Name').fill('other');
    await page.getByText('A function with this name already exists.').waitFor();
    await page.getByLabel('Name').fill('hello');
    await ada.see('function-new', 'New function');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('No problems found. It adds hello.').waitFor();
    expect((await server.get('/functions/hello')).status).toBe(404);
    for (const template of [
      'Hook',
      'Hook before a write',
      'Stripe webhook',
      'Moderation',
      'Plain function',
    ]) {
      await choose(page.getByRole('radio', { name: template, exact: true }));
      expect(await page.getByText('No problems found').count()).toBe(0);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('No problems found').waitFor();
    }

    await write('Code', 'export default () => 1; const a: = 2;');
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText(/hello\.ts:1:34/).waitFor();
    await ada.see('function-new-wrong', 'New function');
    await page.getByRole('link', { name: '← All functions' }).click();
    await ada.see('function-new-leave', 'Leave without deploying?');
    await page.keyboard.press('Escape');

    await write('Code', 'export default (): string => "hi";');
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('heading', { name: 'hello' }).waitFor();
    expect((await server.get('/functions/hello')).body.data).toBe('hi');
    expect((await server.get('/functions/other')).body.data).toBe('other');
  });

  test('what was written here can be changed here, unless somebody else has deployed meanwhile', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Code', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'hello.ts' });
    await write('hello.ts', 'export default (): string => "changed";');
    await ada.see('function-code', 'hello');
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('Version 3 is live').waitFor();
    expect((await server.get('/functions/hello')).body.data).toBe('changed');

    await write('hello.ts', 'export default (): string => "again";');
    const { body } = await server.get('/deployments/3/files');
    const { version: _version, ...files } = body.data;
    await server.post('/deployments', files);
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('Version 4 was deployed in the meantime.', { exact: false }).waitFor();
    expect(await editor.textContent()).toContain('again');
    expect((await server.get('/functions/hello')).body.data).toBe('changed');
    await write('hello.ts', 'export default (): string => "changed";');

    // As the message says: the page is opened again.
    await page.goto(at('/functions/hello?part=code'));
    await editor.waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove hello' }).click();
    await page.getByText('hello removed').waitFor();
    expect((await server.get('/functions/hello')).status).toBe(404);
    expect((await server.get('/functions/other')).body.data).toBe('other');
  });

  test('the sources of what was bundled can be read', async () => {
    const { page } = ada;
    const map = {
      version: 3,
      names: [],
      mappings: '',
      sources: ['node_modules/dayjs/index.js', 'functions/parts/total.ts', 'functions/orders.ts'],
      sourcesContent: [null, 'export const total = 3;', 'export default (): number => total;'],
    };
    await server.post('/deployments', {
      files: { 'orders.js': 'export default()=>3' },
      maps: { 'orders.js.map': JSON.stringify(map) },
      entries: ['orders.js'],
    });
    await page.goto(at('/functions/orders?part=code'));
    await page.getByText('export default (): number => total;').waitFor();
    expect(await page.getByRole('button', { name: 'Deploy' }).count()).toBe(0);
    await page.getByLabel('File').selectOption('functions/parts/total.ts');
    await page.getByText('export const total = 3;').waitFor();
    expect(new URL(page.url()).searchParams.get('source')).toBe('functions/parts/total.ts');
    await ada.see('function-sources', 'orders');
  });
});
