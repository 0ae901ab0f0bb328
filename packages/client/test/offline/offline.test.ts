import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../server/test/support/browser.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import { keeps, keepsNone } from '../../../server/test/support/on-device.ts';
import type { AnyProject, Client, Collection } from '../../src/index.ts';
import { unique } from '../suite/check.ts';
import { type OfflineStage, openOfflineStage, shows } from './stage.ts';

/** What the page has. */
declare const window: {
  plinth: Client<AnyProject>;
  board: Collection<AnyProject, string>;
  tag: string;
};

describe.skipIf(isMissing('chromium'))('without a connection', () => {
  let stage: OfflineStage;
  beforeAll(async () => {
    stage = await openOfflineStage();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const create = (page: Page, text: string, more: Record<string, unknown> = {}) =>
    page.evaluate(
      async ([given, others]) =>
        (await window.board.create({ tag: window.tag, text: given, ...(others as object) })).id,
      [text, more] as const,
    );
  const onServer = async (tag: string) => {
    const { body } = await stage.open.t.api.get(`/collections/board?tag=${tag}&orderBy=text&limit=100`);
    return (body.data as { text: string; n?: number }[]).map(({ text, n }) =>
      n === undefined ? text : `${text}:${n}`,
    );
  };
  const outbox = (page: Page) =>
    page.evaluate(() => {
      const { isLoaded, waiting, refused } = window.plinth.outbox.get();
      return { isLoaded, waiting: waiting.length, refused: refused.map(({ error }) => error?.code) };
    });
  const sent = (page: Page) => expect.poll(() => outbox(page)).toMatchObject({ isLoaded: true, waiting: 0 });

  test('a page paints its last list with the server away, and fills the gap when it is back', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
    await shows(page, [], 'live');
    await create(page, 'a');
    await create(page, 'b');
    await sent(page);
    await shows(page, ['a', 'b'], 'live');
    await keeps(page, ['a', 'b']);
    stage.line.cut();
    await stage.open.t.api.post('/collections/board', { tag, text: 'c' });
    await page.reload();
    await shows(page, ['a', 'b']);
    stage.line.mend();
    await shows(page, ['a', 'b', 'c'], 'live');
    await page.context().close();
  });

  test('writes are shown at once, survive a reload, and are sent in order when the line is back', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
    await shows(page, [], 'live');
    stage.line.cut();
    const id = await create(page, 'x', { n: 1 });
    await page.evaluate((one) => window.board.update(one, { $increment: { n: 5 } }), id);
    const gone = await create(page, 'y');
    await shows(page, ['x:6', 'y']);
    await page.reload();
    // Never "nothing waits" before the device was read.
    await page.waitForFunction('window.plinth.outbox.get().isLoaded');
    expect(await outbox(page)).toMatchObject({ waiting: 3 });
    await shows(page, ['x:6', 'y']);
    await page.evaluate((one) => window.board.delete(one), gone);
    await page.evaluate((one) => window.board.update(one, { text: 'z' }), id);
    await shows(page, ['z:6']);
    expect(await outbox(page)).toMatchObject({ waiting: 5 });
    expect(await onServer(tag)).toEqual([]);
    stage.line.mend();
    await sent(page);
    expect(await onServer(tag)).toEqual(['z:6']);
    await shows(page, ['z:6'], 'live');
    expect((await stage.open.t.api.get(`/collections/board/${id}`)).body.data.id).toBe(id);
    await page.context().close();
  });

  test('what the server refuses is reported, stays, and can be tried again or given up', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
    await shows(page, [], 'live');
    const id = await create(page, 'mine');
    await sent(page);
    await shows(page, ['mine'], 'live');
    stage.line.cut();
    await page.evaluate((one) => window.board.update(one, { text: 'late' }, { ifMatch: '1' }), id);
    await shows(page, ['late']);
    await stage.open.t.api.patch(`/collections/board/${id}`, { text: 'theirs' });
    stage.line.mend();
    await expect.poll(() => outbox(page)).toMatchObject({ waiting: 0, refused: ['version_mismatch'] });
    // Not merged silently: the list shows what is on the server.
    await shows(page, ['theirs'], 'live');
    await page.reload();
    await expect.poll(() => outbox(page)).toMatchObject({ waiting: 0, refused: ['version_mismatch'] });
    await page.evaluate(async () => {
      const [refused] = window.plinth.outbox.get().refused;
      await window.plinth.outbox.retry(refused?.seq ?? 0);
    });
    await expect.poll(() => outbox(page)).toMatchObject({ waiting: 0, refused: ['version_mismatch'] });
    await page.evaluate(async () => {
      const [refused] = window.plinth.outbox.get().refused;
      await window.plinth.outbox.discard(refused?.seq ?? 0);
    });
    await expect.poll(() => outbox(page)).toMatchObject({ waiting: 0, refused: [] });
    await page.context().close();
  });

  test('two tabs share one outbox, and one of them sends', async () => {
    const tag = unique();
    const first = await stage.newPage(tag);
    const second = await stage.newPage(tag, first);
    await shows(second, [], 'live');
    stage.line.cut();
    await create(first, 'a');
    await create(second, 'b');
    await shows(first, ['a', 'b']);
    await shows(second, ['a', 'b']);
    await first.close();
    stage.line.mend();
    await sent(second);
    expect(await onServer(tag)).toEqual(['a', 'b']);
    await shows(second, ['a', 'b'], 'live');
    await second.context().close();
  });

  test('a write follows the one of another tab that it relies on, though this tab has not heard of that', async () => {
    const tag = unique();
    const first = await stage.newPage(tag);
    await first.context().addInitScript(() => {
      // Tabs hear of one another as late as on a busy device.
      globalThis.BroadcastChannel = class extends BroadcastChannel {
        override addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
          super.addEventListener(type, (event) => setTimeout(() => (listener as EventListener)(event), 5000));
        }
      };
    });
    await first.reload();
    const second = await stage.newPage(tag, first);
    await shows(first, [], 'live');
    await shows(second, [], 'live');
    stage.line.cut();
    // From now on the first tab is the one that sends.
    await create(first, 'a');
    const id = await create(second, 'b', { n: 1 });
    await first.evaluate((one) => window.board.update(one, { $increment: { n: 5 } }), id);
    stage.line.mend();
    await sent(first);
    expect(await outbox(first)).toMatchObject({ refused: [] });
    expect(await onServer(tag)).toEqual(['a', 'b:6']);
    await first.context().close();
  });

  test('what waits is sent as soon as the lists are live again, however often it was tried in vain', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
    await shows(page, [], 'live');
    stage.line.cut();
    // Each is a try that fails: by itself, the next one would come after 15 seconds or more.
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
      await create(page, text);
      await failed;
    }
    stage.line.mend();
    await shows(page, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], 'live');
    await expect.poll(async () => (await outbox(page)).waiting, { timeout: 10_000 }).toBeLessThan(8);
    await sent(page);
    expect(await outbox(page)).toMatchObject({ refused: [] });
    await page.context().close();
  });

  test('what a captive portal answers refuses no write', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
    await shows(page, [], 'live');
    const portal = { status: 403, contentType: 'text/html', body: '<h1>Accept our terms</h1>' };
    await page.route('**/collections/board', (route) => route.fulfill(portal));
    await create(page, 'a');
    await expect.poll(() => outbox(page)).toMatchObject({ waiting: 1, refused: [] });
    const answered = page.waitForResponse((response) => response.status() === 403);
    await create(page, 'b');
    await answered;
    expect(await outbox(page)).toMatchObject({ waiting: 2, refused: [] });
    await page.unroute('**/collections/board');
    await sent(page);
    expect(await onServer(tag)).toEqual(['a', 'b']);
    await page.context().close();
  });

  test('what may no longer be read is no longer kept', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
    await shows(page, [], 'live');
    await create(page, 'a');
    await sent(page);
    await keeps(page, ['a']);
    const read = (who: string) =>
      stage.open.t.api.patch('/collections/board', { settings: { rules: { read: who } } });
    await read('locked');
    try {
      await shows(page, [], 'refused');
      await keepsNone(page, ['a']);
    } finally {
      await read('public');
    }
    await page.context().close();
  });

  test.each([
    ['lists were there first', false],
    ['the device was there first', true],
  ])('nothing of a user is shown to the next, and what waits is sent as theirs: %s', async (_, isLate) => {
    const tag = unique();
    const page = await stage.newPage(tag);
    if (isLate) {
      await page.route('**/live-side*.js', async (route) => {
        await page.waitForFunction('window.plinth.outbox.get().isLoaded');
        await route.continue();
      });
      await page.reload();
    }
    const email = `${unique()}@example.com`;
    await page.evaluate(
      (address) => window.plinth.auth.signUp({ email: address, password: 'correct horse' }),
      email,
    );
    await create(page, 'hers');
    await sent(page);
    await shows(page, ['hers'], 'live');
    await keeps(page, ['hers']);
    stage.line.cut();
    await create(page, 'waits');
    await shows(page, ['hers', 'waits']);
    await page.evaluate(() => window.plinth.auth.logOut());
    await shows(page, []);
    // Lists are saved a moment after they have changed.
    await page.waitForTimeout(1000);
    await keepsNone(page, ['hers', 'waits']);
    await page.reload();
    await shows(page, []);
    await expect.poll(() => outbox(page)).toMatchObject({ isLoaded: true, waiting: 0 });
    stage.line.mend();
    await shows(page, ['hers'], 'live');
    await page.evaluate(
      (address) => window.plinth.auth.logIn({ email: address, password: 'correct horse' }),
      email,
    );
    await shows(page, ['hers', 'waits'], 'live');
    await sent(page);
    await page.context().close();
  });
});
