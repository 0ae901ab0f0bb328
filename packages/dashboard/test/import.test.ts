import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

describe.skipIf(isMissing('chromium'))('documents that come and go as files', () => {
  let t: TestApp;
  let library: OpenedProject;
  beforeAll(async () => {
    t = await testApp();
    library = await openProject(t);
    await library.server.post('/collections', { name: 'authors' });
    await library.server.post('/collections', { name: 'books' });
  });
  afterAll(async () => {
    await library?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const all = async (): Promise<Record<string, unknown>[]> =>
    (await library.server.get('/collections/books?limit=100&orderBy=title')).body.data;
  const count = async (): Promise<number> => (await library.server.get('/collections/books')).body.total;

  /** As the keys do, with something in the clipboard. */
  const paste = async (text: string) => {
    await library.ada.page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      (document.activeElement ?? document.body).dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
      );
    }`);
  };

  /** By its keys: they count after the message is gone, too. */
  const takeBack = async () => {
    const { page } = library.ada;
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+z');
  };

  test('JSON is pasted, looked at, added, and taken back', async () => {
    const { ada, at, server } = library;
    const { page } = ada;
    const author = (await server.post('/collections/authors', { name: 'Jane Austen' })).body.data.id;
    await page.goto(at('/data/books'));
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
    const books = Array.from({ length: 240 }, (_, n) => ({ title: `Book ${n}`, year: n, author_id: author }));
    await paste(JSON.stringify(books));
    await page.getByRole('row', { name: /author_id a document in authors 240/ }).waitFor();
    await ada.see('import', 'Add documents');
    await page.getByRole('button', { name: 'Add 240 documents' }).click();
    await page.getByRole('status').getByText('240 added').waitFor();
    await page.getByRole('gridcell', { name: 'Book 239' }).waitFor();
    expect(await count()).toBe(240);
    await takeBack();
    await expect.poll(count).toBe(0);
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
  });

  test('a file of comma separated values becomes typed documents', async () => {
    const { ada } = library;
    const { page } = ada;
    const csv = 'title,year,shelf.row,note\r\nEmma,1815,A,"said ""no"", twice"\r\nUbik,1969,,007\r\n';
    await page
      .getByLabel('Import a file')
      .setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Add 2 documents' }).click();
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor();
    expect(await all()).toMatchObject([
      { title: 'Emma', year: 1815, shelf: { row: 'A' }, note: 'said "no", twice' },
      { title: 'Ubik', year: 1969, note: '007' },
    ]);
    expect((await all())[1]).not.toHaveProperty('shelf');
  });

  test('cells of a spreadsheet are put onto the grid', async () => {
    const { page } = library.ada;
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    const field = page.getByRole('columnheader', { name: 'title' });
    const title = Number(await field.getAttribute('aria-colindex'));
    for (let n = 2; n < title; n++) await page.keyboard.press('ArrowRight');
    // The newest is the first: a batch keeps its order.
    await paste('Ubik, again\n"Emma, again"\nMiddlemarch'.replaceAll('\n', '\t\n'));
    await page.getByRole('button', { name: 'Add 1 document, update 2' }).click();
    await page.getByRole('status').getByText('1 added, 2 updated').waitFor();
    await page.getByRole('gridcell', { name: 'Middlemarch' }).waitFor();
    expect((await all()).map((book) => book.title)).toEqual(['Emma, again', 'Middlemarch', 'Ubik, again']);
    await takeBack();
    await expect.poll(async () => (await all()).map((book) => book.title)).toEqual(['Emma', 'Ubik']);
  });

  test('what cannot be read says where', async () => {
    const { ada } = library;
    const { page } = ada;
    await paste('{"title": "One"}\n{"title": }');
    await page.getByRole('alert').getByText('Line 2').waitFor();
    await ada.see('import-wrong', 'Add documents');
    await page.getByRole('button', { name: 'Close' }).click();
    await paste('just a word');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('all that pass the filter are exported, and come back under their ids', async () => {
    const { ada, server } = library;
    const { page } = ada;
    const before = await all();
    await page.evaluate('window.showSaveFilePicker = undefined');
    const exported = async (form: string) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('radio', { name: form }).check();
      if (form === 'CSV') await ada.see('export', 'Export documents');
      const download = page.waitForEvent('download');
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
      const text = await readFile(await (await download).path(), 'utf8');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      return text;
    };
    expect(await exported('CSV')).toMatch(/^id,.*title.*\r\n.*Ubik/);
    const lines = await exported('NDJSON');
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title),
    ).toEqual(['Ubik', 'Emma']);
    await server.delete(`/collections/books/${String(before[0]?.id)}`);
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor({ state: 'detached' });
    await paste(lines.replace('1969', '1970'));
    await page.getByRole('button', { name: 'Add 1 document, update 1' }).click();
    await expect.poll(async () => (await all()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await expect.poll(async () => (await all())[1]).toMatchObject({ title: 'Ubik', year: 1970 });
  });

  test('pictures of a document are shown beside it, and deleting says that they go', async () => {
    const { ada, at, apiKey } = library;
    const { page } = ada;
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const form = new FormData();
    form.append('data', JSON.stringify({ title: 'Illustrated' }));
    form.append('cover', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'cover.png');
    const headers = { 'x-api-key': apiKey };
    const made = await fetch(`${t.url}/collections/books`, { method: 'POST', headers, body: form });
    const { data } = (await made.json()) as { data: { id: string } };
    await page.goto(at(`/data/books?doc=${data.id}`));
    const picture = page.getByRole('list', { name: 'Files' }).getByRole('img');
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await ada.see('pictures', 'books');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('with files that Undo cannot restore').waitFor();
  });
});
