import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('the dashboard by keyboard and by thumb', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let project: string;
  beforeAll(async () => {
    t = await testApp();
    const opened = await openProject(t);
    ({ ada, server } = opened);
    project = opened.at('');
    await server.post('/collections', { name: 'books' });
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  /** Opens the palette and types. */
  async function find(text: string) {
    const { page } = ada;
    const field = page.getByRole('combobox', { name: 'Type a name, or paste an ID.' });
    // On a page that has just come nobody may hear it yet.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+k');
        return field.count();
      })
      .toBe(1);
    await field.fill(text);
  }

  /** Presses g and a letter until the page is there: on a busy machine the letter may come too late to count. */
  async function goTo(letter: string, heading: string) {
    const { page } = ada;
    await expect
      .poll(async () => {
        await page.keyboard.press('g');
        await page.keyboard.press(letter);
        return page.getByRole('heading', { name: heading, exact: true }).count();
      })
      .toBe(1);
  }

  test('keys go to pages, and a list of them is shown', async () => {
    const { page } = ada;
    await goTo('d', 'Collections');
    await goTo('r', 'Requests');
    // What is typed into a field is no command.
    await page.getByLabel('User', { exact: true }).pressSequentially('gd');
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByRole('heading', { name: 'Requests', exact: true }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Go to Data').waitFor();
    await ada.see('shortcuts', 'Keyboard shortcuts');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('pages, collections and new documents are found by typing', async () => {
    const { page } = ada;
    await page.reload();
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await find('usage');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await find('books');
    await page.getByRole('option', { name: 'New document in books' }).waitFor();
    await ada.see('palette', 'Usage');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'books' }).waitFor();
    await find('new document books');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('doc')).toBe('new');
  });

  test('an id opens what it is of', async () => {
    const { page } = ada;
    const made = await server.post('/collections/books', { title: 'Emma' });
    const { id } = made.body.data;
    await page.goto(project);
    await page.getByRole('heading', { name: 'Library' }).waitFor();
    await find(id);
    await page.getByRole('option', { name: 'Open document' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('doc')).toBe(id);
    expect(new URL(page.url()).pathname).toMatch(/\/data\/books$/);
    await find(made.headers.get('x-request-id') ?? '');
    await page.getByRole('option', { name: 'Open request' }).click();
    await expect.poll(() => page.url()).toContain('/requests/');
  });

  test('colours are changed by typing', async () => {
    const { page } = ada;
    await page.goto(project);
    await page.getByRole('heading', { name: 'Library' }).waitFor();
    await find('dark');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await find('theme system');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.documentElement.dataset.theme ?? null')).toBe(null);
  });

  test('on a phone pages are within reach of a thumb; whoever types so is signed out', async () => {
    const { page } = ada;
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.getByRole('navigation', { name: 'Project' });
    const bottom = async () => {
      const box = await bar.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(bottom).toBe(844);
    await bar.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    await ada.see('more', 'More');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('dialog').getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await find('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
