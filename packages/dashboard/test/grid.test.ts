import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { choose } from './choose.ts';
import { type OpenedProject, openProject } from './open-project.ts';

const titles = ['Emma', 'Persuasion', 'Sanditon', 'Evelina', 'Camilla'];

describe.skipIf(isMissing('chromium'))('the grid of documents', () => {
  let t: TestApp;
  let library: OpenedProject;
  let authorId: string;
  beforeAll(async () => {
    t = await testApp();
    library = await openProject(t);
    const { server } = library;
    await server.post('/collections', { name: 'authors' });
    await server.post('/collections', { name: 'books' });
    authorId = (await server.post('/collections/authors', { name: 'Jane Austen' })).body.data.id;
    // The last one is the newest, and so the first of the list.
    const documents = titles.map((title, n) => ({
      title,
      year: 1800 + n,
      author_id: authorId,
      shelf: { row: 'A', place: n },
    }));
    for (const document of documents.toReversed()) await server.post('/collections/books', document);
  });
  afterAll(async () => {
    await library?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const all = async (): Promise<Record<string, unknown>[]> =>
    (await library.server.get('/collections/books?orderBy=year')).body.data;

  test('a cell is changed in its place, with the keyboard alone', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books'));
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor();
    await page.getByRole('grid').focus();
    const year = Number(await page.getByRole('columnheader', { name: 'year' }).getAttribute('aria-colindex'));
    for (let n = 2; n < year; n++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Value of year' });
    await field.fill('1815');
    await field.press('Escape');
    expect((await all())[0]).toMatchObject({ title: 'Emma', year: 1800 });
    await page.keyboard.press('F2');
    await field.fill('1700');
    await field.press('Enter');
    await page.getByRole('gridcell', { name: '1700' }).waitFor();
    await expect.poll(async () => (await all())[0]).toMatchObject({ title: 'Emma', year: 1700 });
    await page.getByRole('gridcell', { name: 'Persuasion' }).dblclick();
    await page.getByRole('textbox', { name: 'Value of title' }).fill('"1818"');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await all())[1]).toMatchObject({ title: '1818' });
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('an id shows what it stands for, and leads there', async () => {
    const { ada } = library;
    const { page } = ada;
    const cell = page.getByRole('gridcell', { name: authorId.slice(-8) }).first();
    await cell.hover();
    await page.getByRole('tooltip').getByText('Jane Austen').waitFor();
    await ada.see('grid-link', 'books');
    await cell.click({ modifiers: ['Control'] });
    await page.getByRole('heading', { name: 'authors' }).waitFor();
    await page.getByText('Links', { exact: true }).click();
    await page.getByRole('link', { name: '5 documents in books' }).waitFor();
    await ada.see('backlinks', 'authors');
    await page.getByRole('link', { name: '5 documents in books' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(6);
    expect(new URL(page.url()).searchParams.get('filter')).toBe(`author_id=${authorId}`);
  });

  test('rows are selected, changed together, deleted and brought back', async () => {
    const { ada, at } = library;
    const { page } = ada;
    const before = await all();
    await page.goto(at('/data/books'));
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('3 selected').waitFor();
    await ada.see('grid-selected', 'books');
    await bar.getByRole('button', { name: 'Edit a field…' }).click();
    await page.getByRole('combobox', { name: 'Field' }).fill('shelf.row');
    await page.getByRole('textbox', { name: 'Value' }).fill('B');
    await ada.see('change-field', 'books');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click();
    const shelves = async () => (await all()).map(({ shelf }) => (shelf as { row: string }).row).join('');
    await expect.poll(shelves).toBe('BBBAA');
    await page.getByRole('button', { name: 'Undo' }).click();
    // Said later, it would take the place of the next message.
    await page.getByRole('status').getByText('Undone').waitFor();
    await expect.poll(shelves).toBe('AAAAA');
    await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await all()).length).toBe(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await all()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test('columns are chosen, and a view is kept as a link', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books'));
    await page.getByRole('button', { name: 'Columns' }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    await chooser.getByRole('checkbox', { name: 'shelf.row', exact: true }).check();
    await choose(chooser.getByRole('checkbox', { name: 'shelf', exact: true }), false);
    await chooser.getByRole('button', { name: 'Move shelf.row left' }).click();
    await ada.see('columns', 'books');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: 'A', exact: true }).first().waitFor();
    const heads = () =>
      page.getByRole('columnheader').evaluateAll((list) => list.map((one) => one.ariaLabel ?? ''));
    expect((await heads()).slice(-3)).toEqual(['createdAt', 'shelf.row', 'updatedAt']);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('View name').fill('Shelves');
    await page.getByRole('button', { name: 'Save' }).click();
    const link = page.getByRole('link', { name: 'Shelves' });
    await ada.see('views', 'books');
    const address = (await link.getAttribute('href')) ?? '';
    await page.keyboard.press('Escape');
    await page.goto(at('/data/books'));
    await page.getByRole('columnheader', { name: 'shelf.row' }).waitFor();
    await page.evaluate('localStorage.clear()');
    await page.goto(new URL(address, page.url()).href);
    await page.getByRole('columnheader', { name: 'shelf.row' }).waitFor();
    expect(await heads()).not.toContain('shelf');
  });

  test('keys open, step, and show what can be done with a row', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books'));
    await page.getByRole('gridcell', { name: 'Emma' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('e');
    const editor = page.getByLabel('Document as JSON');
    await editor.getByText('"Emma"').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.shadowRoot !== null')).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await editor.getByText('"Emma"').waitFor();
    await page.keyboard.press(']');
    await editor.getByText('"1818"').waitFor();
    await page.keyboard.press('[');
    await editor.getByText('"Emma"').waitFor();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor();
    await ada.see('row-menu', 'books');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(
      await page.getByRole('combobox', { name: 'Filter' }).evaluate((e) => e === document.activeElement),
    ).toBe(true);
  });

  test('from a row it is one step to why somebody may not see it', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.goto(at('/data/books'));
    await page.getByRole('gridcell', { name: 'Emma' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Who can see it?' }).click();
    await page.getByText('Denied').first().waitFor();
  });

  test('a call is copied for a terminal and for code', async () => {
    const { ada, at } = library;
    const { page } = ada;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('/data/books?filter=year__gte%3D1801&sort=-year'));
    await page.getByRole('gridcell', { name: 'Camilla' }).waitFor();
    const copy = async (name: string) => {
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('status').getByText('Copied').waitFor();
    };
    // The message may still be that of a call before.
    const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'));
    await copy('As curl');
    await expect
      .poll(copied)
      .toMatch(
        /^curl -g '.*\/collections\/books\?year__gte=1801&orderBy=-year' -H "X-API-Key: \$PLINTH_KEY"$/,
      );
    await copy('As TypeScript');
    await expect
      .poll(copied)
      .toContain("plinth.collection('books').where('year__gte=1801').orderBy('-year').page()");
  });

  test('rows are as high as the density says, and thousands of them keep few in memory', async () => {
    const { ada, at, server } = library;
    const { page } = ada;
    await server.post('/collections', { name: 'many' });
    for (let batch = 0; batch < 3; batch++)
      await server.post('/collections/many/batch', {
        documents: Array.from({ length: 1000 }, (_, n) => ({ n: batch * 1000 + n })),
      });
    await page.evaluate(`localStorage.setItem('density', 'compact')`);
    await page.goto(at('/data/many'));
    await page.getByRole('gridcell', { name: '2999', exact: true }).waitFor();
    const tops = await page
      .getByRole('row')
      .evaluateAll((rows) => rows.slice(1, 3).map((row) => row.getBoundingClientRect().top));
    expect((tops[1] ?? 0) - (tops[0] ?? 0)).toBe(26);
    await page.getByRole('grid').focus();
    const bottom = page.getByRole('gridcell', { name: '0', exact: true });
    await expect
      .poll(
        async () => {
          await page.keyboard.press('Control+End');
          return bottom.count();
        },
        { timeout: 200_000 },
      )
      .toBe(1);
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    // What was let go is read again, where it was.
    await page.keyboard.press('Control+Home');
    await page.getByRole('gridcell', { name: '2999', exact: true }).waitFor();
    expect(await page.getByRole('grid').evaluate((grid) => grid.scrollTop)).toBe(0);
    await page.keyboard.press('Control+End');
    await bottom.waitFor();
    await page.evaluate(`localStorage.setItem('density', 'normal')`);
  });
});
