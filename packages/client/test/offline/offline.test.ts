import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../server/test/support/browser.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import type { AnyProject, Client, Collection } from '../../src/index.ts';
import { unique } from '../suite/check.ts';
import { keeps, type OfflineStage, openOfflineStage, shows } from './stage.ts';

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
      const { waiting, refused } = window.plinth.outbox.get();
      return { waiting: waiting.length, refused: refused.map(({ error }) => error?.code) };
    });
  const sent = (page: Page) =>
    expect.poll(() => outbox(page), { timeout: 30_000 }).toMatchObject({ waiting: 0 });

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
    await expect.poll(() => outbox(page)).toEqual({ waiting: 0, refused: ['version_mismatch'] });
    // Not merged silently: the list shows what is on the server.
    await shows(page, ['theirs'], 'live');
    await page.reload();
    await expect.poll(() => outbox(page)).toEqual({ waiting: 0, refused: ['version_mismatch'] });
    await page.evaluate(async () => {
      const [refused] = window.plinth.outbox.get().refused;
      await window.plinth.outbox.retry(refused?.seq ?? 0);
    });
    await expect.poll(() => outbox(page)).toEqual({ waiting: 0, refused: ['version_mismatch'] });
    await page.evaluate(async () => {
      const [refused] = window.plinth.outbox.get().refused;
      await window.plinth.outbox.discard(refused?.seq ?? 0);
    });
    await expect.poll(() => outbox(page)).toEqual({ waiting: 0, refused: [] });
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

  test('nothing of a user is shown to the next, and what waits is sent as theirs', async () => {
    const tag = unique();
    const page = await stage.newPage(tag);
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
    await page.reload();
    await shows(page, []);
    expect(await outbox(page)).toMatchObject({ waiting: 0 });
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
