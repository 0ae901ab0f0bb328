import { join } from 'node:path';
import type { Client } from '@plinth/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp } from '../../client/test/browser/bundle.ts';
import { type OpenStage, openStage } from '../../client/test/suite/stage.ts';
import { openBrowser, type Page, type TestBrowser } from '../../server/test/support/browser.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import type { AppPage } from '../../server/test/support/serve-page.ts';

interface Project {
  readonly collections: { readonly notes: { tag: string; text: string; n?: number } };
}

/** What the page has. */
declare const window: { plinth: Client<Project>; renders: { list: number } };

describe.skipIf(isMissing('chromium'))('hooks, in a page under StrictMode', () => {
  let app: AppPage;
  let open: OpenStage;
  let chromium: TestBrowser;
  let page: Page;
  const problems: string[] = [];
  const shows = (id: string, text: string) =>
    expect.poll(() => page.locator(`#${id}`).textContent()).toBe(text);
  const write = (notes: { tag: string; text: string; n: number }) =>
    page.evaluate(async (note) => (await window.plinth.collection('notes').create(note)).id, notes);

  beforeAll(async () => {
    app = await serveApp(join(import.meta.dirname, 'app.tsx'));
    open = await openStage({ origins: [app.origin] });
    chromium = await openBrowser();
    page = await chromium.openPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text());
    });
    await page.goto(`${app.origin}/?tag=t1&url=${encodeURIComponent(open.stage.url)}`);
  });
  afterAll(async () => {
    for (const part of [chromium, open, app]) await part?.[Symbol.asyncDispose]();
  });

  test('useAuth shows who is signed in, without a flash of anything else', async () => {
    await shows('auth', 'signed-out ');
    await page.evaluate(() =>
      window.plinth.auth.signUp({
        email: 'ada@example.com',
        password: 'correct horse',
        data: { name: 'Ada' },
      }),
    );
    await shows('auth', 'signed-in Ada');
  });

  test('useLive waits in Suspense, then keeps the list right, in every component alike', async () => {
    await shows('list', 'live  = 0');
    const first = await write({ tag: 't1', text: 'a', n: 1 });
    await write({ tag: 't1', text: 'b', n: 2 });
    await shows('list', 'live a,b = 2');
    await page.click('#turn');
    await shows('list', 'live b,a = 2');
    await page.evaluate((id) => window.plinth.collection('notes').update(id, { n: 3 }), first);
    await shows('list', 'live a,b = 2');
  });

  test('nothing renders on and on', async () => {
    const before = await page.evaluate(() => window.renders.list);
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => window.renders.list)).toBe(before);
  });

  test('useDocument follows one, and useQuery reads once', async () => {
    await shows('one', 'none');
    await page.click('#open');
    await shows('one', 'a');
    await page.click('#again');
    await shows('once', 'ready 2');
    await write({ tag: 't1', text: 'c', n: 9 });
    await shows('list', 'live c,a,b = 3');
    await shows('once', 'ready 2');
    await page.click('#again');
    await shows('once', 'ready 3');
  });

  test('useRoom is in the room once, and hears each word once', async () => {
    await shows('room', 'joined 1 ');
    await page.click('#say');
    await shows('room', 'joined 1 hello');
  });

  test('a sign-out takes everything off the page', async () => {
    await page.evaluate(() => window.plinth.auth.logOut());
    await shows('auth', 'signed-out ');
    expect(await page.locator('#list').count()).toBe(0);
  });

  test('nothing was logged as an error', () => {
    expect(problems).toEqual([]);
  });
});
