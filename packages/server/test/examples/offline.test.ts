// @postgres newest
// @needs chromium
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setOrigins } from '../../src/features/control/projects/index.ts';
import {
  accessibilityProblems,
  openBrowser,
  type Page,
  screenshot,
  type TestBrowser,
} from '../support/browser.ts';
import { type CuttableLine, cuttableLine } from '../support/cuttable-line.ts';
import { readPage, repository } from '../support/markdown.ts';
import { keeps } from '../support/on-device.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
/** Each site reaches the node over a line of its own, so that one phone can be away while the other is not. */
let line: CuttableLine;
let otherLine: CuttableLine;
const sites: ChildProcess[] = [];
let address: string;
let otherAddress: string;
let browser: TestBrowser;

beforeAll(async () => {
  [line, otherLine] = await Promise.all([cuttableLine(t.url), cuttableLine(t.url)]);
  const setup = start('setup.js', line, { KEY: t.projects[0].apiKey });
  const [complaint, [code]] = await Promise.all([text(setup.stderr!), once(setup, 'exit')]);
  expect(code, complaint).toBe(0);
  [address, otherAddress] = await Promise.all([serve(line), serve(otherLine)]);
  await setOrigins(
    t.control,
    t.projects[0].ref,
    [address, otherAddress].map((at) => new URL(at).origin),
  );
  browser = await openBrowser();
});
afterEach(() => line.mend());
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  for (const site of sites) site.kill();
  await line?.[Symbol.asyncDispose]();
  await otherLine?.[Symbol.asyncDispose]();
});

function start(file: string, over: CuttableLine, settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--conditions=@plinth/source', `${repository}examples/offline/${file}`], {
    env: { PATH: process.env.PATH, BASE: `${over.url}/p/${t.projects[0].ref}`, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function serve(over: CuttableLine): Promise<string> {
  const site = start('serve.js', over, { PORT: '0' });
  sites.push(site);
  const [printed] = (await once(site.stdout!, 'data')) as [Buffer];
  return /http:\S+/.exec(String(printed))![0];
}

const listed = (page: Page) => page.getByRole('list', { name: 'Groceries' }).locator('span');
// A page may wait half a minute between two tries to connect.
const shows = (page: Page, texts: string[]) =>
  expect.poll(() => listed(page).allTextContents(), { timeout: 90_000 }).toEqual(texts);
const says = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: words }).waitFor({ timeout: 90_000 });

async function add(page: Page, what: string): Promise<void> {
  await page.getByLabel('What to buy').fill(what);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  // Once it is shown, it is kept.
  await listed(page).filter({ hasText: what }).waitFor();
}

async function openPhone(at: string, view: Parameters<TestBrowser['openPage']>[0] = {}): Promise<Page> {
  const page = await browser.openPage({ width: 'phone', ...view });
  await page.goto(at);
  await says(page, 'All saved');
  return page;
}

const worksAlone = (page: Page) =>
  page.waitForFunction(
    'navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)',
  );

describe('examples/offline', () => {
  test('what is written without a connection is shown, kept over a reload, and sent to the other phone', async () => {
    const one = await openPhone(address);
    await add(one, 'Milk');
    await says(one, 'All saved');
    const other = await openPhone(new URL(new URL(one.url()).hash, otherAddress).href);
    await shows(other, ['Milk']);
    await worksAlone(one);
    await keeps(one, ['Milk']);
    // The phone has no network, not even to the page itself. The line is cut, too: what Chromium emulates let
    // a call of a page that was opened again through.
    line.cut();
    await one.context().setOffline(true);
    await add(one, 'Bread');
    await one.getByRole('checkbox', { name: 'Milk' }).click();
    await expect.poll(() => one.getByRole('checkbox', { name: 'Milk' }).isChecked()).toBe(true);
    await shows(one, ['Milk', 'Bread']);
    await says(one, '2 changes to be sent');
    await one.reload();
    await shows(one, ['Milk', 'Bread']);
    await expect.poll(() => one.getByRole('checkbox', { name: 'Milk' }).isChecked()).toBe(true);
    await add(other, 'Tea');
    await shows(other, ['Milk', 'Tea']);
    // The page connects as soon as it is told that there is a network: to a line that works.
    line.mend();
    await one.context().setOffline(false);
    await says(one, 'All saved');
    for (const page of [one, other]) {
      await expect
        .poll(async () => (await listed(page).allTextContents()).toSorted())
        .toEqual(['Bread', 'Milk', 'Tea']);
      await expect.poll(() => page.getByRole('checkbox', { name: 'Milk' }).isChecked()).toBe(true);
      await page.context().close();
    }
  });

  test.each(
    (['desktop', 'phone'] as const).flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    ),
  )('everybody can use it: $width, $colorScheme', async (view) => {
    const page = await openPhone(address, view);
    const see = async (name: string) => {
      await screenshot(page, `offline-${name}-${view.width}-${view.colorScheme}`);
      expect(await accessibilityProblems(page)).toEqual([]);
      const sticksOut = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await page.evaluate(sticksOut)).toBe(false);
    };
    await page.getByText('Nothing to buy.').waitFor();
    await see('empty');
    await add(page, 'Bread, the dark one from the bakery around the corner, if they still have some');
    await says(page, 'All saved');
    line.cut();
    await add(page, 'Tea');
    await says(page, '1 change to be sent');
    await see('away');
    line.mend();
    await says(page, 'All saved');
    // The schema takes a text, and this is none.
    await page.evaluate(`document.getElementById('text').removeAttribute('maxlength')`);
    await page.getByLabel('What to buy').fill('x'.repeat(201));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    await see('refused');
    await page.getByRole('button', { name: 'Give it up' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('');
    await page.context().close();
  });

  test('its README names every file', () => {
    const page = readPage('examples/offline/README.md');
    for (const file of ['setup.js', 'serve.js', 'page/page.js', 'page/index.html', 'page/service-worker.js'])
      expect(page).toContain(`\`${file}\``);
  });
});
