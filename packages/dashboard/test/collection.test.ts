import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { choose } from './choose.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('a collection', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  beforeAll(async () => {
    t = await testApp();
    ({ ada, server } = await openProject(t));
    const { page } = ada;
    for (const name of ['authors', 'books', 'notes']) await server.post('/collections', { name });
    const author = await server.post('/collections/authors', { name: 'Jane Austen' });
    for (const [title, year] of [
      ['Emma', 1815],
      ['Persuasion', 1817],
    ] as const)
      await server.post('/collections/books', { title, year, author_id: author.body.data.id });
    await page.getByRole('link', { name: 'Data' }).click();
    await page.getByRole('link', { name: 'books' }).click();
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const settings = async () =>
    (await server.get('/collections')).body.data.find(({ name }: { name: string }) => name === 'books')
      .settings;

  test('an index is asked for, keeps values apart and is dropped', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Indexes' }).click();
    await ada.see('indexes-empty', 'No indexes yet');
    await page.getByRole('radio', { name: 'Unique values' }).check();
    await page.getByRole('combobox', { name: 'Fields' }).fill('tit');
    await page.getByRole('option', { name: 'title' }).click();
    await page.getByRole('button', { name: 'Build' }).click();
    await page.getByRole('cell', { name: /^ready/ }).waitFor();
    expect((await server.post('/collections/books', { title: 'Emma' })).body.error.code).toBe(
      'duplicate_value',
    );
    await ada.see('indexes', 'books');
    await page.getByRole('button', { name: 'Drop the index on title' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
    await page.getByText('No indexes yet').waitFor();
    expect((await server.get('/collections/books/indexes')).body.data).toEqual([]);
    await page.getByRole('switch', { name: 'Create indexes for slow queries automatically' }).click();
    await expect.poll(async () => (await settings()).autoIndex).toBe(false);
  });

  test('what would help a slow list is said, and built at a click', async () => {
    const { page } = ada;
    // Figures of 10,000 documents would take this test minutes.
    const slow = {
      filter: ['status'],
      sort: ['-year'],
      calls: 310,
      p50Ms: 41.2,
      suggestion: { kind: 'sort', fields: ['status', '-year'] },
      index: null,
      explanation: 'A sort index of status, -year would help.',
    };
    const advice = { data: { autoIndex: true, documents: 52_000, shapes: [slow] } };
    await page.route('**/indexes/advice', (route) => route.fulfill({ json: advice }));
    await page.reload();
    await page.getByText('Queries by status, -year take 41.2 ms.').waitFor();
    await ada.see('indexes-advice', 'books');
    await page.getByRole('button', { name: 'Build an index on status, -year' }).click();
    await page.getByRole('cell', { name: 'status, -year', exact: true }).waitFor();
    expect((await server.get('/collections/books/indexes')).body.data).toMatchObject([
      { kind: 'sort', fields: ['status', '-year'] },
    ]);
    await page.unroute('**/indexes/advice');
  });

  test('an index that nothing uses is marked, with what to do about it', async () => {
    const { page } = ada;
    const [index] = (await server.get('/collections/books/indexes')).body.data;
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const large = { ...index, note: null, bytes: 4_194_304, scans: 0, readyAt: days(9) };
    const used = { ...large, id: 'b', fields: ['year'], scans: 1200, usedAt: days(2) };
    const fresh = { ...large, id: 'c', fields: ['isbn'], readyAt: days(1), automatic: true };
    // Those of so many documents would take this test minutes.
    await page.route('**/management/**/books/indexes', (route) =>
      route.fulfill({ json: { data: [large, used, fresh] } }),
    );
    await page.reload();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('status, -year').getByText('never used').waitFor();
    await row('status, -year').getByText('Dropping it makes writes cheaper.').waitFor();
    await row('year').getByText('used 1,200 times, last 2 days ago').waitFor();
    await row('isbn').getByText('No query has used it yet.').waitFor();
    await ada.see('indexes-unused', 'books');
    await page.unroute('**/management/**/books/indexes');
  });

  test('fields are listed, and a schema begins from them', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Schema' }).click();
    await page.getByRole('cell', { name: 'author_id' }).waitFor();
    await page
      .getByRole('row', { name: /author_id/ })
      .getByRole('link', { name: 'authors' })
      .waitFor();
    await ada.see('schema-none', 'books');
    await page.getByRole('button', { name: 'Start from existing documents' }).click();
    const editor = page.getByLabel('Schema', { exact: true });
    expect(await editor.inputValue()).toContain('"year"');
    await editor.fill('{"type": "object"');
    await page.getByRole('alert').getByText(/JSON/).waitFor();
    await editor.fill('{"type": "nothing"}');
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByRole('alert').getByText(/type/).waitFor();
    await editor.fill('{"type": "object", "required": ["title"]}');
    await page.getByRole('button', { name: 'Save schema' }).click();
    await page.getByText('Schema saved').waitFor();
    expect((await server.post('/collections/books', { year: 1 })).body.error.code).toBe('schema_mismatch');
    await ada.see('schema', 'books');
    await page.getByRole('button', { name: 'Remove schema' }).click();
    // The message before it may still be there, with an Undo of its own.
    await page.getByRole('status').getByText('Schema removed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await settings()).schema).toMatchObject({ required: ['title'] });
    await page.getByRole('button', { name: 'Remove schema' }).click();
    await expect.poll(async () => (await settings()).schema).toBeUndefined();
  });

  test('stored documents that do not match the schema are found, and lead to themselves', async () => {
    const { page } = ada;
    const schema = { properties: { year: { maximum: 1816 } } };
    await server.patch('/collections/books', { settings: { schema } });
    await page.reload();
    await page.getByRole('button', { name: 'Check stored documents' }).click();
    await page.getByText('Checked 2 documents: 1 does not match.').waitFor();
    await page.getByRole('cell', { name: 'must be <= 1816' }).waitFor();
    await ada.see('schema-mismatches', 'books');
    await page.getByRole('region', { name: 'Documents that do not match' }).getByRole('link').click();
    await page.getByLabel('Document as JSON').getByText('"Persuasion"').waitFor();
    const { searchParams } = new URL(page.url());
    await server.patch(`/collections/books/${searchParams.get('doc')}`, { year: 1816 });
    await page.goBack();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Checked 2 documents: all match.').waitFor();
  });

  test('calls are shown with the fields of the collection', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByText(/curl .*\/collections\/books\?/).waitFor();
    await ada.see('collection-api', 'books');
    await choose(page.getByRole('radio', { name: 'TypeScript' }));
    await page.getByText(/books\.create\(\{ .*title: "/).waitFor();
    expect(new URL(page.url()).searchParams.get('language')).toBe('ts');
  });

  test('links are drawn on a map', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Map' }).click();
    await page.getByRole('row', { name: 'books author_id authors' }).waitFor();
    await page.getByRole('link', { name: 'authors 1 document' }).waitFor();
    await ada.see('map', 'Map');
    await page.getByRole('link', { name: 'books 2 documents' }).click();
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor();
  });

  test('it is renamed, fields are hidden, and it is deleted by its name', async () => {
    const { page } = ada;
    await page.getByRole('navigation', { name: 'Collection pages' }).getByText('Settings').click();
    await page.getByLabel('Paths').fill('margin\nmeta.notes');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await settings()).hiddenFields).toEqual(['margin', 'meta.notes']);
    await ada.see('collection-settings', 'books');
    await page.getByRole('textbox', { name: 'Name' }).fill('novels');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'novels' }).waitFor();
    expect((await server.get('/collections/novels')).status).toBe(200);
    await page.getByRole('button', { name: 'Delete collection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('novels');
    await dialog.getByRole('button', { name: 'Delete collection' }).click();
    await page.getByRole('heading', { name: 'Collections', exact: true }).waitFor();
    expect((await server.get('/collections/novels')).status).toBe(404);
  });
});
