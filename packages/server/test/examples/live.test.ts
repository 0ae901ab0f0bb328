// @postgres newest
// @needs redis chromium
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { setOrigins } from '../../src/features/control/projects/index.ts';
import { createNode } from '../../src/node/node.ts';
import { accessibilityProblems, openBrowser, screenshot, type TestBrowser } from '../support/browser.ts';
import { type CuttableLine, cuttableLine } from '../support/cuttable-line.ts';
import { blocksOf, readPage, repository } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ REDIS_URL: inject('redisUrl') });
let line: CuttableLine;
let site: ChildProcess;
let address: string;
let browser: TestBrowser;
let windows: Page[] = [];

beforeAll(async () => {
  line = await cuttableLine(t.url);
  await setUp();
  site = start('serve.js', { PORT: '0' });
  const [printed] = (await once(site.stdout!, 'data')) as [Buffer];
  address = /http:\S+/.exec(String(printed))![0];
  await setOrigins(t.control, t.projects[0].ref, [new URL(address).origin]);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  site?.kill();
  await line?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const { id } of await items()) await t.api.delete(`/collections/items/${id}`);
});
afterEach(async () => {
  line.mend();
  await Promise.all(windows.map((page) => page.context().close()));
  windows = [];
});

function start(file: string, settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--conditions=@plinth/source', `${repository}examples/live/${file}`], {
    env: { PATH: process.env.PATH, BASE: `${line.url}/p/${t.projects[0].ref}`, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function setUp(): Promise<void> {
  const script = start('setup.js', { KEY: t.projects[0].apiKey });
  const [complaint, [code]] = await Promise.all([text(script.stderr!), once(script, 'exit')]);
  expect(code, complaint).toBe(0);
}

async function items(): Promise<{ id: string; text: string; done: boolean }[]> {
  return (await t.api.get('/collections/items')).body.data;
}

async function addItem(text: string): Promise<string> {
  const { status, body } = await t.api.post('/collections/items', { text, done: false });
  expect(status).toBe(201);
  return body.data.id;
}

async function openWindow(view: Parameters<TestBrowser['openPage']>[0] = {}): Promise<Page> {
  const page = await browser.openPage(view);
  windows.push(page);
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  await expectState(page, 'Live');
  return page;
}

const itemsOf = (page: Page) => page.getByRole('list', { name: 'Items' }).getByRole('listitem');
const boxOf = (page: Page, text: string) => page.getByRole('checkbox', { name: text, exact: true });

async function expectState(page: Page, beginning: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: beginning }).waitFor();
}

async function expectItems(page: Page, texts: string[]): Promise<void> {
  await expect.poll(() => itemsOf(page).locator('span').allTextContents()).toEqual(texts);
}

async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel('New item').fill(text);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

describe('examples/live', () => {
  test('the setup can be run twice', setUp);

  test('what is done in one window shows in the other', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    await add(one, 'Milk');
    await add(one, 'Bread');
    await expectItems(other, ['Milk', 'Bread']);
    await expectItems(one, ['Milk', 'Bread']);
    await boxOf(one, 'Milk').check();
    await expect.poll(() => boxOf(other, 'Milk').isChecked()).toBe(true);
    await expectState(other, 'Milk done');
    await other.getByRole('button', { name: 'Delete Bread' }).click();
    await expectItems(one, ['Milk']);
    await expectState(one, 'Bread deleted');
  });

  test('it can be used with the keyboard alone, and the focus is never lost', async () => {
    const page = await openWindow();
    await page.getByLabel('New item').focus();
    await page.keyboard.type('Milk');
    await page.keyboard.press('Enter');
    await expectItems(page, ['Milk']);
    await page.keyboard.type('Bread');
    await page.keyboard.press('Enter');
    await expectItems(page, ['Milk', 'Bread']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(async () => (await items()).find(({ text }) => text === 'Milk')?.done).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectItems(page, ['Bread']);
    await page.keyboard.press('Enter');
    await expectItems(page, []);
    await page.getByText('Nothing on the list yet.').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('items');
  });

  test('after a break it shows what happened meanwhile, and says so while it lasts', async () => {
    const gone = await addItem('Gone');
    const page = await openWindow();
    await expectItems(page, ['Gone']);
    line.cut();
    await expectState(page, 'Not connected');
    await addItem('Meanwhile');
    await t.api.delete(`/collections/items/${gone}`);
    await add(page, 'Not to be saved');
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    await expectItems(page, ['Gone']);
    line.mend();
    await expectState(page, 'Live');
    await expectItems(page, ['Meanwhile']);
    // What was typed is still there.
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expectItems(page, ['Meanwhile', 'Not to be saved']);
  });

  test('when a node stops, the client continues on another', async () => {
    await addItem('Before');
    const node = await createNode({ ...t.config });
    line.lead(await node.start());
    const page = await openWindow();
    await expectItems(page, ['Before']);
    await node.stop();
    await expectState(page, 'Not connected');
    await addItem('Meanwhile');
    line.lead(t.url);
    await expectState(page, 'Live');
    await addItem('After');
    await expectItems(page, ['Before', 'Meanwhile', 'After']);
  });

  test('where it has to read again it does', async () => {
    onTestFinished(setUp);
    await addItem('Open');
    const done = await addItem('Done');
    await t.api.patch(`/collections/items/${done}`, { done: true });
    const page = await openWindow();
    await expectItems(page, ['Open', 'Done']);
    await t.api.patch('/collections/items', { settings: { rules: { read: 'done=false' } } });
    await expectItems(page, ['Open']);
    await t.api.patch('/collections/items', { settings: { rules: { read: 'locked' } } });
    await expectState(page, 'Not connected: ');
    await setUp();
    await page.getByRole('button', { name: 'Try now' }).click();
    await expectItems(page, ['Open', 'Done']);
  });

  test.each(
    (['desktop', 'phone'] as const).flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    ),
  )('everybody can use it: $width, $colorScheme', async (view) => {
    const page = await openWindow(view);
    const see = async (name: string) => {
      await screenshot(page, `live-${name}-${view.width}-${view.colorScheme}`);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate(sticksOut)).toBe(false);
    };
    await page.getByText('Nothing on the list yet.').waitFor();
    await see('empty');
    await addItem('Milk');
    const bread = await addItem(
      'Bread, the dark one from the bakery around the corner, if they still have some',
    );
    await addItem('https://recipes.example/soups/a-very-long-address-that-has-no-blank-in-it-at-all');
    await t.api.patch(`/collections/items/${bread}`, { done: true });
    await boxOf(page, 'Milk').waitFor();
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await expect.poll(() => itemsOf(page).count()).toBe(3);
    await see('items');
    line.cut();
    await add(page, 'Butter');
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    await see('away');
  });
});

const sticksOut = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

test('examples/live: its README names every file', () => {
  const page = readPage('examples/live/README.md');
  for (const file of ['setup.js', 'serve.js', 'page/page.js']) expect(page).toContain(`\`${file}\``);
  expect(blocksOf(page).some(({ language }) => language === 'sh')).toBe(true);
});
