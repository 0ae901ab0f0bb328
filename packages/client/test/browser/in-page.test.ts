import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BreakableLink } from '../../../server/test/support/breakable-link.ts';
import { openBrowser, type Page, type TestBrowser } from '../../../server/test/support/browser.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import type { AppPage } from '../../../server/test/support/serve-page.ts';
import type * as client from '../../src/index.ts';
import type { runAll } from '../suite/all.ts';
import type { film } from '../suite/files.ts';
import { type OpenStage, openStage } from '../suite/stage.ts';
import { serveApp } from './bundle.ts';

/** What the page has. */
declare const window: {
  runAll: typeof runAll;
  createClient: typeof client.createClient;
  film: typeof film;
  plinth: client.Client<client.AnyProject>;
};

describe.skipIf(isMissing('chromium'))('in Chromium', () => {
  let app: AppPage;
  let open: OpenStage;
  let chromium: TestBrowser;
  let url: string;
  beforeAll(async () => {
    app = await serveApp(join(import.meta.dirname, 'suite-page.ts'));
    open = await openStage({ origins: [app.origin] });
    chromium = await openBrowser();
    url = open.stage.url;
  });
  afterAll(async () => {
    for (const part of [chromium, open, app]) await part?.[Symbol.asyncDispose]();
  });
  const openPage = async () => {
    const page = await chromium.openPage();
    await page.goto(app.origin);
    await page.waitForFunction('window.runAll');
    return page;
  };

  test('the suite passes', async () => {
    const page = await openPage();
    const { passed, failed } = await page.evaluate((stage) => window.runAll(stage), { url });
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(20);
    await page.context().close();
  });

  test('an API key is refused in a page, and the message says why', async () => {
    const page = await openPage();
    const message = await page.evaluate((address) => {
      try {
        window.createClient({ url: address, apiKey: 'plk_x' });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    }, url);
    expect(message).toContain('anyone can read what is in a page');
    await page.context().close();
  });

  test('two tabs sign in and out together, and trade an expired token once', async () => {
    const first = await openPage();
    const second = await first.context().newPage();
    await second.goto(app.origin);
    const begin = (page: Page) =>
      page.evaluate((address) => {
        window.plinth = window.createClient({ url: address });
        return window.plinth.auth.state.status;
      }, url);
    expect([await begin(first), await begin(second)]).toEqual(['signed-out', 'signed-out']);
    const email = `${crypto.randomUUID()}@example.com`;
    const id = await first.evaluate(
      async (address) => (await window.plinth.auth.signUp({ email: address, password: 'correct horse' })).id,
      email,
    );
    await expect.poll(() => second.evaluate(() => window.plinth.auth.user?.id)).toBe(id);
    // Both find it expired at once: one trades, the other takes what came of it.
    for (let round = 0; round < 3; round += 1) {
      await first.evaluate(() => {
        const [key = ''] = Object.keys(localStorage);
        const session = JSON.parse(localStorage.getItem(key) ?? '{}') as object;
        localStorage.setItem(key, JSON.stringify({ ...session, expiresAt: 1 }));
      });
      const reload = (page: Page) =>
        page.evaluate(async (address) => {
          window.plinth = window.createClient({ url: address });
          return (await window.plinth.auth.reload()).id;
        }, url);
      expect(await Promise.all([reload(first), reload(second)])).toEqual([id, id]);
    }
    await second.evaluate(() => window.plinth.auth.logOut());
    await expect.poll(() => first.evaluate(() => window.plinth.auth.state.status)).toBe('signed-out');
    await first.context().close();
  });

  test('200 MB pass a line that is cut ten times, and progress never goes back', async () => {
    const page = await openPage();
    await using line = new BreakableLink(url);
    const address = await line.open();
    const size = Number(process.env.PLINTH_TEST_UPLOAD_MB ?? 200) * 1_048_576;
    const upload = page.evaluate(
      async ({ address, direct, size }) => {
        const plinth = window.createClient({ url: direct });
        await plinth.auth.signUp({ email: `${crypto.randomUUID()}@example.com`, password: 'correct horse' });
        const [session = ''] = Object.values(localStorage) as string[];
        localStorage.setItem(`plinth:${address}`, session);
        const bytes = window.film(size);
        const seen: number[] = [];
        const record = await window
          .createClient({ url: address })
          .files.upload(new File([bytes], 'film.mp4'), {
            onProgress: ({ sent }) => {
              seen.push(sent);
              document.title = String(sent);
            },
          });
        const answer = await fetch(record.url ?? '');
        const got = new Uint8Array(await answer.arrayBuffer());
        const isBack = seen.some((sent, at) => at > 0 && sent < (seen[at - 1] ?? 0));
        const isSame = got.length === bytes.length && got.every((byte, at) => byte === bytes[at]);
        return { isSame, isBack, last: seen.at(-1), told: seen.length };
      },
      { address: address.replace(/\/$/, ''), direct: url, size },
    );
    let cuts = 0;
    for (let next = size / 12; cuts < 10; next += size / 12) {
      const place = next;
      await page.waitForFunction((sent) => Number(document.title) >= sent, place, { timeout: 200_000 });
      await line.cut();
      await line.open();
      cuts += 1;
    }
    const { isSame, isBack, last, told } = await upload;
    console.log(`${size / 1_048_576} MB, cut ${cuts} times, progress told ${told} times`);
    expect({ isSame, isBack, last }).toEqual({ isSame: true, isBack: false, last: size });
    await page.context().close();
  }, 900_000);
});
