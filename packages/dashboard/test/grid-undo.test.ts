import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

describe.skipIf(isMissing('chromium'))('the grid, when somebody changes their mind', () => {
  let t: TestApp;
  let library: OpenedProject;
  beforeAll(async () => {
    t = await testApp();
    library = await openProject(t);
    const { server } = library;
    await server.post('/collections', { name: 'books' });
    for (const [n, title] of ['Camilla', 'Evelina', 'Emma'].entries())
      await server.post('/collections/books', { title, year: 1800 + n });
  });
  afterAll(async () => {
    await library?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const books = async (): Promise<Record<string, unknown>[]> =>
    (await library.server.get('/collections/books?orderBy=createdAt')).body.data;
  const book = async (n: number) => (await books())[n] ?? {};

  const change = async (cell: string, field: string, value: string) => {
    const { page } = library.ada;
    await page.getByRole('gridcell', { name: cell, exact: true }).dblclick();
    await page.getByRole('textbox', { name: `Value of ${field}` }).fill(value);
    await page.keyboard.press('Enter');
  };

  test('cells get their former values back, one after the other', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books'));
    await change('Emma', 'title', 'Emma, again');
    await page.getByRole('status').getByText('title updated').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('Undone').waitFor();
    expect(await book(2)).toMatchObject({ title: 'Emma', year: 1802 });
    await page.getByRole('button', { name: 'Close' }).click();
    await change('Emma', 'title', 'Emma!');
    await expect.poll(() => book(2)).toMatchObject({ title: 'Emma!' });
    await ada.see('grid-undo', 'books');
    await change('1802', 'year', '1815');
    await expect.poll(() => book(2)).toMatchObject({ year: 1815 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => book(2)).toMatchObject({ title: 'Emma!', year: 1802 });
    await page.keyboard.press('Control+z');
    await expect.poll(() => book(2)).toMatchObject({ title: 'Emma', year: 1802 });
    await page.getByRole('gridcell', { name: 'Emma', exact: true }).waitFor();
    // What the change before has to say may come after it, in its place.
    const nothing = page.getByRole('status').getByText('Nothing to undo.');
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+z');
        return nothing.count();
      })
      .toBe(1);
  });

  test('what somebody else has changed since stays as it is', async () => {
    const { page } = library.ada;
    await change('Evelina', 'title', 'Evelina, again');
    await page.getByRole('status').getByText('title updated').waitFor();
    const { id } = await book(1);
    await library.server.patch(`/collections/books/${String(id)}`, { year: 1778 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+z');
    await page.getByRole('status').getByText('The document has changed since').waitFor();
    expect(await book(1)).toMatchObject({ title: 'Evelina, again', year: 1778 });
  });

  test('it asks before edits, where it was told to', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books'));
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('switch', { name: 'Ask before edits' }).check();
    await ada.see('grid-ask', 'books');
    await page.goto(at('/data/books'));
    await change('Camilla', 'title', 'Cecilia');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('From Camilla to Cecilia.').waitFor();
    await page.keyboard.press('Escape');
    expect(await book(0)).toMatchObject({ title: 'Camilla' });
    await change('Camilla', 'title', 'Cecilia');
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => book(0)).toMatchObject({ title: 'Cecilia' });
    await page.getByRole('gridcell', { name: 'Cecilia' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Delete');
    await dialog.getByText('Delete 1 document?').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await books()).length).toBe(2);
    await page.getByRole('status').getByText('1 document deleted').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await books()).length).toBe(3);
  });

  test('of 300 columns only those that can be seen are drawn', async () => {
    const { ada, at, server } = library;
    const { page } = ada;
    await server.post('/collections', { name: 'wide' });
    const fields = Array.from({ length: 300 }, (_, n) => [`f${String(n).padStart(3, '0')}`, n]);
    await server.post('/collections/wide', Object.fromEntries(fields));
    await page.goto(at('/data/wide'));
    const cells = page.getByRole('gridcell');
    await cells.first().waitFor();
    expect(await cells.count()).toBeLessThan(40);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByRole('columnheader', { name: 'updatedAt' }).waitFor();
    const active = await page.getByRole('grid').getAttribute('aria-activedescendant');
    expect(active).not.toBeNull();
    expect(await cells.count()).toBeLessThan(40);
    await ada.see('grid-wide', 'wide');
    await page.keyboard.press('Home');
    await page.getByRole('gridcell', { name: '0', exact: true }).waitFor();
  });

  test('more than a hundred collections are listed, found and gone to', async () => {
    const { ada, at, server } = library;
    const { page } = ada;
    for (let n = 0; n < 120; n++) await server.post('/collections', { name: `part${n}` });
    await page.goto(at('/data'));
    await page.getByRole('link', { name: 'books' }).waitFor();
    await page.getByRole('button', { name: 'Show 22 more' }).click();
    await expect.poll(() => page.getByRole('link', { name: /^part\d+$/ }).count()).toBe(120);
    await page.getByRole('searchbox', { name: 'Find a collection' }).fill('PART11');
    await expect.poll(() => page.getByRole('link', { name: /^part\d+$/ }).count()).toBe(11);
    expect(new URL(page.url()).searchParams.get('find')).toBe('PART11');
    await ada.see('collections-found', 'Collections');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('part119');
    await page.getByRole('option', { name: 'part119 collection' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'part119' }).waitFor();
    await page.goto(at('/map'));
    await page.getByRole('link', { name: 'part119' }).waitFor();
  });
});
