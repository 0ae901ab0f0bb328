import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser, type Page, type TestBrowser } from '../../../server/test/support/browser.ts';
import { type CuttableLine, cuttableLine } from '../../../server/test/support/cuttable-line.ts';
import type { AppPage } from '../../../server/test/support/serve-page.ts';
import { serveApp } from '../browser/bundle.ts';
import { type OpenStage, openStage } from '../suite/stage.ts';

/** A service behind a line that can be cut, and pages of an app that works without it. */
export interface OfflineStage extends AsyncDisposable {
  readonly open: OpenStage;
  readonly chromium: TestBrowser;
  readonly line: CuttableLine;
  /** The page of a device; another tab of the same device if one is given. */
  newPage(tag: string, device?: Page): Promise<Page>;
}

export async function openOfflineStage(): Promise<OfflineStage> {
  const app: AppPage = await serveApp(join(import.meta.dirname, 'offline-page.ts'));
  const open = await openStage({ origins: [app.origin] });
  const line = await cuttableLine(open.t.url);
  const url = line.url + new URL(open.stage.url).pathname;
  const chromium = await openBrowser();
  return {
    open,
    chromium,
    line,
    async newPage(tag, device) {
      const page = device ? await device.context().newPage() : await chromium.openPage();
      await page.goto(`${app.origin}/?tag=${tag}&url=${encodeURIComponent(url)}`);
      await page.waitForFunction('window.shown');
      return page;
    },
    async [Symbol.asyncDispose]() {
      for (const part of [chromium, line, open, app]) await part[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the page shows these. */
export const shows = (page: Page, texts: readonly string[], status?: string) =>
  expect
    .poll(() => page.evaluate('window.shown'), { timeout: 30_000 })
    .toMatchObject({ texts, ...(status && { status }) });

/** All that the device keeps in a store. */
const kept = (
  store: 'lists' | 'writes',
) => `indexedDB.databases().then((all) => Promise.all(all.map(({ name }) =>
  new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('${store}').objectStore('${store}').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result);
      };
    };
  })))).then((stores) => stores.flat())`;

/** Waits until the device keeps these, which is a moment after they are shown. */
export const keeps = (page: Page, texts: readonly string[]) =>
  expect
    .poll(async () => JSON.stringify(await page.evaluate(kept('lists'))), { timeout: 30_000 })
    .toSatisfy((lists: string) => texts.every((text) => lists.includes(`"text":"${text}"`)));

/** Waits until nothing on the device waits to be sent, whatever a tab knows of it. */
export const hasSentAll = (page: Page) =>
  expect
    .poll(
      async () =>
        (await page.evaluate<{ error?: object }[]>(kept('writes'))).filter(({ error }) => !error).length,
      { timeout: 60_000 },
    )
    .toBe(0);
