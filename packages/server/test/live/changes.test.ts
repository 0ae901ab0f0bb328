import { describe, expect, test } from 'vitest';
import { beginFeed, engines, liveApp } from './live-app.ts';

describe.each(engines)('changes, %s', (_, overrides) => {
  test('created, updated and deleted documents arrive, as REST shows them', async () => {
    await using t = await liveApp(overrides());
    await t.api.post('/collections', { name: 'notes' });
    await using client = await t.live();
    await client.subscribe('notes');

    const created = await t.api.post('/collections/notes', { text: 'one', n: 1 });
    const first = await client.next('event');
    expect(first).toMatchObject({
      id: 'a',
      collection: 'notes',
      event: 'created',
      document: created.body.data,
    });

    const changed = await t.api.patch(`/collections/notes/${created.body.data.id}`, { n: 2 });
    const second = await client.next('event');
    expect(second).toMatchObject({ event: 'updated', document: changed.body.data });

    await t.api.delete(`/collections/notes/${created.body.data.id}`);
    const third = await client.next('event');
    expect(third.event).toBe('deleted');
    expect(third.document).toEqual({ id: created.body.data.id });
  });

  test('a filter decides what arrives; what leaves it arrives as deleted', async () => {
    await using t = await liveApp(overrides());
    await t.api.post('/collections', { name: 'notes' });
    await using client = await t.live();
    await client.subscribe('notes', { filter: 'state=open' });
    const other = await t.api.post('/collections/notes', { state: 'closed' });
    const own = await t.api.post('/collections/notes', { state: 'open' });
    expect((await client.next('event')).document.id).toBe(own.body.data.id);
    await t.api.patch(`/collections/notes/${own.body.data.id}`, { state: 'closed' });
    expect(await client.next('event')).toMatchObject({
      event: 'deleted',
      document: { id: own.body.data.id },
    });
    await t.api.patch(`/collections/notes/${other.body.data.id}`, { state: 'open' });
    expect(await client.next('event')).toMatchObject({
      event: 'created',
      document: { id: other.body.data.id },
    });
  });

  test('a cursor continues where it was, and a made-up one is told to read again', async () => {
    await using t = await liveApp(overrides());
    await t.api.post('/collections', { name: 'notes' });
    const { cursor } = await (async () => {
      await using client = await t.live();
      return await client.subscribe('notes');
    })();
    const texts = ['one', 'two', 'three'];
    for (const text of texts) await t.api.post('/collections/notes', { text });
    await using client = await t.live();
    await client.subscribe('notes', { since: cursor });
    const got = [await client.next('event'), await client.next('event'), await client.next('event')];
    expect(got.map(({ document }) => document.text)).toEqual(texts);
    await client.subscribe('notes', { id: 'b', since: 'nothing:1-1' });
    await client.next('resync', ({ id }) => id === 'b');
  });

  test('a snapshot and what follows it leave nothing out', async () => {
    await using t = await liveApp(overrides());
    await t.api.post('/collections', { name: 'notes' });
    const before = await t.api.post('/collections/notes/batch', {
      documents: Array.from({ length: 700 }, (_, n) => ({ n })),
    });
    await beginFeed(t, 'notes');
    await using client = await t.live();
    const writing = (async () => {
      const ids: string[] = [];
      for (let n = 0; n < 40; n += 1)
        ids.push((await t.api.post('/collections/notes', { n: 1000 + n })).body.data.id);
      return ids;
    })();
    client.send({ type: 'subscribe', id: 'a', collection: 'notes', snapshot: true });
    const ids = new Set<string>();
    for (let more = true; more; ) {
      const part = await client.next('snapshot');
      for (const document of part.documents) ids.add((document as { id: string }).id);
      more = part.more === true;
    }
    const written = await writing;
    const all = new Set([...before.body.data.map(({ id }: { id: string }) => id), ...written]);
    while (ids.size < all.size) {
      const { document } = await client.next('event');
      expect(ids.has(document.id)).toBe(false);
      ids.add(document.id);
    }
    expect(ids).toEqual(all);
  });
});
