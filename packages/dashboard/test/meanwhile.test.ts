import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

describe.skipIf(isMissing('chromium'))('what is typed while something else is under way', () => {
  let t: TestApp;
  let library: OpenedProject;
  let emma: string;
  beforeAll(async () => {
    t = await testApp();
    library = await openProject(t);
    const { server } = library;
    await server.post('/collections', { name: 'books' });
    emma = (await server.post('/collections/books', { title: 'Emma', year: 1815 })).body.data.id;
    for (let n = 0; n < 21; n++) await server.post('/collections', { name: `part${n}` });
  });
  afterAll(async () => {
    await library?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const books = async (): Promise<Record<string, unknown>[]> =>
    (await library.server.get('/collections/books?orderBy=createdAt')).body.data;

  /** Does something while calls of a method are held up. */
  const during = async (method: string, begin: () => Promise<void>, meanwhile: () => Promise<void>) => {
    const { page } = library.ada;
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = '**/collections/books**';
    await page.route(held, async (route) => {
      if (route.request().method() === method) await promise;
      await route.continue();
    });
    const sent = page.waitForRequest((request) => request.method() === method);
    await begin();
    const answered = (await sent).response();
    await meanwhile();
    resolve();
    await answered;
    await page.unroute(held);
  };

  test('stays in a document that is saved, and is saved after it', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at(`/data/books?doc=${emma}`));
    const editor = page.getByLabel('Document as JSON');
    const save = page.getByRole('button', { name: 'Save' });
    await editor.fill('{"title": "Emma", "year": 1816}');
    await during(
      'PUT',
      () => save.click(),
      () => editor.fill('{"title": "Emma", "year": 1817}'),
    );
    expect(await books()).toMatchObject([{ year: 1816 }]);
    await save.click();
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await books()).toMatchObject([{ year: 1817 }]);
  });

  test('typing over what is selected needs no look of its own, and is undone in one step', async () => {
    const { page } = library.ada;
    const editor = page.getByLabel('Document as JSON');
    const text = '{"title": "Emma", "year": 1818}';
    // Chromium kept the look of the old text now and then, which the policy of the page refuses.
    for (const _ of Array(30)) await editor.fill(text);
    await editor.press('ControlOrMeta+a');
    await editor.press('x');
    await expect.poll(() => editor.textContent()).toBe('x');
    await editor.press('ControlOrMeta+z');
    await expect.poll(() => editor.textContent()).toBe(text);
    await editor.fill('{"title": "Emma", "year": 1817}');
  });

  test('stays in a document that is made, which is made once', async () => {
    const { page } = library.ada;
    await page.getByRole('button', { name: 'New document' }).click();
    const editor = page.getByLabel('Document as JSON');
    const save = page.getByRole('button', { name: 'Save' });
    await editor.fill('{"title": "Evelina"}');
    await during(
      'POST',
      () => save.click(),
      () => editor.fill('{"title": "Evelina", "year": 1778}'),
    );
    const [, { id = '' } = {}] = await books();
    await page.getByRole('complementary', { name: 'Document' }).getByText(String(id)).first().waitFor();
    await save.click();
    await expect.poll(books).toMatchObject([{ title: 'Emma' }, { title: 'Evelina', year: 1778 }]);
    await expect.poll(() => new URL(page.url()).searchParams.get('doc')).toBe(id);
  });

  test('stays in a form that is saved', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books/settings'));
    const hidden = page.getByLabel('Paths');
    await hidden.fill('secret');
    await during(
      'PATCH',
      () => page.getByRole('button', { name: 'Save', exact: true }).click(),
      () => hidden.fill('secret\nprice'),
    );
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await hidden.inputValue()).toBe('secret\nprice');
  });

  test('letters are not lost while the address follows', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data'));
    const field = page.getByRole('searchbox', { name: 'Find a collection' });
    await field.waitFor();
    await page.evaluate(`{
      const field = document.querySelector('[type=search]');
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      for (const letter of 'part20') {
        set.call(field, field.value + letter);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }`);
    expect(await field.inputValue()).toBe('part20');
    await expect.poll(() => page.getByRole('link', { name: /^part\d+$/ }).count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('find')).toBe('part20');
    expect(await field.inputValue()).toBe('part20');
  });

  test('two columns go as quickly as they are clicked', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books?columns=id,title,year,createdAt'));
    await page.getByRole('columnheader', { name: 'createdAt' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'year' }).waitFor();
    await page.evaluate(`for (const name of ['year', 'createdAt'])
      [...document.querySelectorAll('[role=dialog] label')].find((one) => one.textContent === name).control.click();`);
    await expect.poll(() => new URL(page.url()).searchParams.get('columns')).toBe('id,title');
    await expect.poll(() => page.getByRole('columnheader', { name: 'createdAt' }).count()).toBe(0);
  });

  test('stays in a question to the rules, unless another is asked from elsewhere', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books/rules'));
    const radio = page.getByRole('radio', { name: 'Create', exact: true });
    await radio.waitFor();
    await page.evaluate(`{
      const named = (tag, name) => [...document.querySelectorAll(tag)].find((one) => one.textContent === name);
      named('button', 'Test').click();
      named('label', 'Create').control.click();
    }`);
    await page.getByRole('region', { name: 'Result' }).waitFor();
    expect(await radio.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Test' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('create');
    await page.goBack();
    await expect.poll(() => page.getByRole('radio', { name: 'Read', exact: true }).isChecked()).toBe(true);
  });

  test('a call that the stream has missed waits too, while the calls are paused', async () => {
    const { ada, at, server } = library;
    const { page } = ada;
    await page.route('**/requests/stream*', (route) => route.abort());
    await page.goto(at('/requests?paused=true'));
    await page.getByRole('link', { name: 'POST /collections', exact: true }).first().waitFor();
    await server.get('/collections/nothing');
    await page.getByRole('button', { name: /^Resume \([1-9]\d* new\)$/ }).waitFor();
    const late = page.getByRole('link', { name: 'GET /collections/nothing' });
    expect(await late.count()).toBe(0);
    await page.getByRole('button', { name: /^Resume/ }).click();
    await late.waitFor();
  });
});
