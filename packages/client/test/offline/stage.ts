import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser, type Page, type TestBrowser } from '../../../server/test/support/browser.ts';
import { type CuttableLine, cuttableLine } from '../../../server/test/support/cuttable-line.ts';
import { keptOnDevice } from '../../../server/test/support/on-device.ts';
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
  expect.poll(() => page.evaluate('window.shown')).toMatchObject({ texts, ...(status && { status }) });

/** Waits until nothing on the device waits to be sent, whatever a tab knows of it. */
export const hasSentAll = (page: Page) =>
  expect
    .poll(
      async () =>
        (await keptOnDevice<{ error?: object }>(page, 'writes')).filter(({ error }) => !error).length,
      { timeout: 300_000 },
    )
    .toBe(0);
