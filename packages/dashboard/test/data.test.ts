import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the data of a project', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  beforeAll(async () => {
    t = await testApp();
    ({ ada, server } = await openProject(t));
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('a collection is made, and a document in it, and changed', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Data' }).click();
    await ada.see('collections-empty', 'No collections yet');
    await page.getByRole('button', { name: 'New collection' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('books');
    await page.getByRole('button', { name: 'Create collection' }).click();
    await ada.see('documents-empty', 'No documents yet');
    await page.getByRole('button', { name: 'New document' }).click();
    const editor = page.getByLabel('Document as JSON');
    await editor.fill('{"title": "Emma"');
    await page.getByRole('status').getByText('Invalid JSON on line 1').waitFor();
    await editor.fill('{"title": "Emma", "year": 1815, "tags": ["novel"]}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor();
    expect((await server.get('/collections/books')).body.data).toMatchObject([{ title: 'Emma', year: 1815 }]);
    await ada.see('document', 'books');
  });

  test('what somebody else changed meanwhile is not overwritten', async () => {
    const { page } = ada;
    const [{ id }] = (await server.get('/collections/books')).body.data;
    const editor = page.getByLabel('Document as JSON');
    await editor.fill('{"title": "Emma", "year": 1816}');
    await server.patch(`/collections/books/${id}`, { year: 1815, seen: true });
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Someone else changed this document.').waitFor();
    await alert.getByRole('row', { name: 'year 1815 1816' }).waitFor();
    expect((await server.get(`/collections/books/${id}`)).body.data).toMatchObject({
      year: 1815,
      seen: true,
    });
    await ada.see('conflict', 'books');
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await editor.getByText('1815').waitFor();
    await editor.fill('{"title": "Emma", "year": 1817}');
    await server.patch(`/collections/books/${id}`, { year: 1814 });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect((await server.get(`/collections/books/${id}`)).body.data).toMatchObject({ year: 1817 });
    await editor.press('End');
    await page.keyboard.type(' ');
    await page.keyboard.press('Escape');
    await page.getByRole('status').getByText('Not saved.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => editor.count()).toBe(0);
  });

  test('new documents wait, changed ones are shown, by keyboard too', async () => {
    const { page } = ada;
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    const made = await server.post('/collections/books', { title: 'Persuasion', year: 1817 });
    await page.getByRole('button', { name: '1 new document' }).click();
    await page.getByRole('gridcell', { name: 'Persuasion' }).waitFor();
    await server.patch(`/collections/books/${made.body.data.id}`, { title: 'Persuasion, again' });
    await page.getByRole('gridcell', { name: 'Persuasion, again' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('Document as JSON').waitFor();
    const { body: before } = await server.get('/collections/books');
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await server.get('/collections/books')).body.data.length).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    const times = ({ updatedAt: _time, ...rest }: Record<string, unknown>) => rest;
    await expect
      .poll(async () => (await server.get('/collections/books')).body.data.map(times))
      .toEqual(before.data.map(times));
  });

  test('a document is changed field by field, by who writes no JSON', async () => {
    const { page } = ada;
    const document = { title: 'Evelina', year: 1778, tags: ['letters'], lent: false };
    const { body } = await server.post('/collections/books', document);
    await page.goto(`${page.url().split('?')[0]}?doc=${body.data.id}`);
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    const form = page.getByRole('complementary', { name: 'Document' });
    await form.getByLabel('title', { exact: true }).fill('Camilla');
    await form.getByLabel('year', { exact: true }).fill('1796');
    await page.getByRole('switch', { name: 'lent' }).check();
    await form.getByLabel('tags', { exact: true }).fill('["novel"');
    await page.getByText('Not valid JSON yet.').waitFor();
    await form.getByLabel('tags', { exact: true }).fill('["novel"]');
    await page.getByLabel('New field').fill('author');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByLabel('author', { exact: true }).fill('Frances Burney');
    await ada.see('document-form', 'books');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await server.get(`/collections/books/${body.data.id}`)).body.data)
      .toMatchObject({ title: 'Camilla', year: 1796, tags: ['novel'], lent: true, author: 'Frances Burney' });
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByLabel('Document as JSON').getByText('"Camilla"').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await server.delete(`/collections/books/${body.data.id}`);
  });

  test('a document of a megabyte is opened and changed', async () => {
    const { page } = ada;
    const lines = Array.from({ length: 12_000 }, (_, n) => `line ${n} ${'word '.repeat(14)}`);
    const { body } = await server.post('/collections/books', { title: 'Long', lines });
    await page.goto(`${page.url().split('?')[0]}?doc=${body.data.id}`);
    const editor = page.getByLabel('Document as JSON');
    await editor.getByText('"title"').or(editor.getByText('line 1 ')).first().waitFor();
    await editor.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('"first": 1,');
    await page.keyboard.press('Control+s');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect((await server.get(`/collections/books/${body.data.id}?select=first`)).body.data.first).toBe(1);
    await page.getByRole('button', { name: 'Close' }).click();
    await server.delete(`/collections/books/${body.data.id}`);
  });

  test('a filter is completed, explained and part of the address', async () => {
    const { page } = ada;
    await server.post('/collections/books', { title: 'Sanditon', year: 1925 });
    await page.reload();
    const filter = page.getByRole('combobox', { name: 'Filter' });
    await filter.fill('ye');
    await page.getByRole('option', { name: /^year/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /year__gte=/ }).click();
    await filter.press('End');
    await page.keyboard.type('1900');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('filter')).toContain('year__gte=1900');
    await ada.see('filtered', 'books');
    await filter.fill('year>5');
    await page.getByRole('status').getByText('Write year__gt=5.').waitFor();
    await page.getByRole('columnheader', { name: 'year' }).getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toContain('year');
  });
});
