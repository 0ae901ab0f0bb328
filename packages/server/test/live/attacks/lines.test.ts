// @postgres newest
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { ChangeDelivery } from '../../../src/features/live/feed/change-delivery.ts';
import { isMissing } from '../../support/is-missing.ts';
import { engines, type LiveApp, liveApp } from '../live-app.ts';

afterEach(() => void vi.restoreAllMocks());

/** Holds up what a node tells of the next project in which something changes, until it is let go. */
function holdUp(): { letGo: () => void; reached: Promise<void> } {
  const held = new Set<ChangeDelivery>();
  const tell = Reflect.get(ChangeDelivery.prototype, 'toAudience');
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  vi.spyOn(ChangeDelivery.prototype, 'toAudience').mockImplementation(async function (
    this: ChangeDelivery,
    delivered,
  ) {
    if (held.size === 0) held.add(this);
    if (held.has(this)) {
      reach();
      await free;
    }
    return tell.call(this, delivered);
  });
  return { letGo, reached };
}

/** Another project whose changes are in the same log. */
async function neighbourOf(t: LiveApp, { cell }: { cell: number }) {
  let project = await t.createProject();
  if (project.cell !== cell) project = await t.createProject();
  expect(project.cell).toBe(cell);
  await project.api.post('/collections', { name: 'notes' });
  return project;
}

describe.each(engines)('a project in which telling takes long, %s', (_, overrides) => {
  test('keeps no other waiting, and loses nothing', async () => {
    await using t = await liveApp(overrides());
    await t.newCollection('notes', { rules: { read: 'public' } });
    const neighbour = await neighbourOf(t, t.projects[0]);
    await using second = await t.live({ 'x-api-key': neighbour.apiKey });
    await second.subscribe('notes');
    await using first = await t.live();
    await first.subscribe('notes');
    const { cursor: since } = await first.subscribe('notes', { id: 'b' });

    const { letGo, reached } = holdUp();
    await t.api.post('/collections/notes', { n: 0 });
    await reached;
    // More than wait in memory.
    for (let from = 1; from < 400; from += 50) {
      const documents = Array.from({ length: 50 }, (_, n) => ({ n: from + n }));
      expect((await t.api.post('/collections/notes/batch', { documents })).status).toBe(201);
    }
    const { body } = await neighbour.api.post('/collections/notes', { n: 'other' });
    const heard = await second.next('event');
    expect(heard.document.id).toBe(body.data.id);

    // Who comes meanwhile is not told what the line has not come to, and not twice what it has.
    await using late = await t.live();
    await late.subscribe('notes', { since });
    letGo();
    for (const [live, id] of [
      [first, 'a'],
      [first, 'b'],
      [late, 'a'],
    ] as const)
      for (let n = 0; n < 401; n += 1)
        expect((await live.next('event', (event) => event.id === id)).document.n).toBe(n);
    for (const live of [first, late]) expect(live.messages).toEqual([]);
  });
});

test.skipIf(isMissing('redis'))(
  'a node that is behind goes on from what one that is ahead has told',
  async () => {
    await using t = await liveApp({ REDIS_URL: inject('redisUrl') });
    await t.newCollection('notes', { rules: { read: 'public' } });
    await using behind = await t.live();
    await behind.subscribe('notes');
    const { letGo, reached } = holdUp();
    await t.api.post('/collections/notes', { n: 0 });
    await reached;
    const { url } = await t.node();
    await using ahead = await t.live(undefined, url);
    await ahead.subscribe('notes');
    await t.api.post('/collections/notes', { n: 1 });
    const { cursor: since } = await ahead.next('event');
    await using back = await t.live();
    await back.subscribe('notes', { since });
    letGo();
    await t.api.post('/collections/notes', { n: 2 });
    expect((await back.next('event')).document.n).toBe(2);
    expect(back.messages).toEqual([]);
  },
);
