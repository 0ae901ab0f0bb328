// @postgres newest
import { describe, expect, test } from 'vitest';
import { VisibleCommits } from '../../../src/platform/change-feed/visible-commits.ts';
import { Dice, seed } from '../../support/data/dice.ts';
import type { LiveClient } from '../../support/live-client.ts';
import { engines, type LiveApp, liveApp } from '../live-app.ts';

interface Note {
  readonly id: string;
  readonly text: string;
}

/** A collection in which everyone reads what is public, and somebody who follows it and goes away. */
async function withReader(t: LiveApp) {
  await t.newCollection('notes', { rules: { read: 'public=true' } });
  const path = '/collections/notes';
  const write = async (fields: Record<string, unknown>) =>
    (await t.api.post(path, { public: true, ...fields })).body.data as Note;
  const patch = (id: string, fields: Record<string, unknown>) => t.api.patch(`${path}/${id}`, fields);
  const remove = (id: string) => t.api.delete(`${path}/${id}`);
  const reader = () => t.live({}, `${t.url}/p/${t.projects[0].ref}`);
  const readable = async () =>
    (await t.anonymous.get(`/p/${t.projects[0].ref}${path}?limit=1000`)).body.data as Note[];
  return { write, patch, remove, reader, readable };
}

/** All events up to the one that tells of this document. */
async function eventsUntil(client: LiveClient, last: string) {
  const events = [];
  for (;;) {
    const event = await client.next('event');
    events.push(event);
    if (event.document.id === last) return events;
  }
}

describe.each(engines)('14: what is told from the past, %s', (_, overrides) => {
  test('is what the caller may read now: nothing deleted, made private or taken back is shown', async () => {
    await using t = await liveApp(overrides());
    const { write, patch, remove, reader } = await withReader(t);
    const known = await write({ text: 'known before' });
    let cursor: string;
    {
      await using client = await reader();
      ({ cursor } = await client.subscribe('notes'));
    }
    const hidden = await write({ text: 'canary: published by mistake' });
    await patch(hidden.id, { public: false });
    const gone = await write({ text: 'canary: deleted at once' });
    await remove(gone.id);
    const mended = await write({ text: 'canary: the wrong words' });
    await patch(mended.id, { text: 'the right words' });
    await patch(known.id, { text: 'canary: closed with this', public: false });
    const last = await write({ text: 'last' });
    await using client = await reader();
    await client.subscribe('notes', { since: cursor });
    const events = await eventsUntil(client, last.id);
    expect(JSON.stringify(events)).not.toContain('canary');
    expect(events.map(({ event, document }) => [event, document.id, document.text])).toEqual([
      ['deleted', hidden.id, undefined],
      ['deleted', gone.id, undefined],
      ['created', mended.id, 'the right words'],
      ['deleted', known.id, undefined],
      ['created', last.id, 'last'],
    ]);
  });

  test('leads to what is there, whatever happened meanwhile, and says rightly what is new', async () => {
    await using t = await liveApp(overrides());
    const { write, patch, remove, reader, readable } = await withReader(t);
    const dice = new Dice(seed);
    const ids: string[] = [];
    const has = new Map<string, Note>();
    let cursor: string | undefined;
    for (let round = 0; round < 8; round += 1) {
      for (let n = 0; n < 25; n += 1) {
        const text = `${round}.${n}`;
        const id = ids.length > 0 ? dice.pick(ids) : '';
        if (ids.length < 5 || dice.chance(0.2))
          ids.push((await write({ text, public: dice.chance(0.7) })).id);
        else if (dice.chance(0.8)) await patch(id, { text, public: dice.chance(0.7) });
        else await remove(ids.splice(ids.indexOf(id), 1)[0]!);
      }
      await using client = await reader();
      const last = (await write({ text: 'last' })).id;
      ids.push(last);
      if (cursor === undefined) {
        ({ cursor } = await client.subscribe('notes', { snapshot: true }));
        const snapshot = await client.next('snapshot');
        ({ cursor } = snapshot);
        for (const note of snapshot.documents as Note[]) has.set(note.id, note);
        continue;
      }
      await client.subscribe('notes', { since: cursor });
      const there = new Map((await readable()).map((note) => [note.id, note]));
      for (const { event, document, cursor: next } of await eventsUntil(client, last)) {
        const where = `PLINTH_SEED=${seed}, round ${round}, ${event} ${document.id}`;
        cursor = next;
        if (event === 'deleted') {
          has.delete(document.id);
          continue;
        }
        expect(event, where).toBe(has.has(document.id) ? 'updated' : 'created');
        expect(document, where).toEqual(there.get(document.id));
        has.set(document.id, document as unknown as Note);
      }
      expect(has, `PLINTH_SEED=${seed}, round ${round}`).toEqual(there);
    }
  });

  test('is judged by few looks, however much of it there is', async () => {
    await using t = await liveApp(overrides());
    const { write, patch, reader } = await withReader(t);
    let cursor: string;
    {
      await using client = await reader();
      ({ cursor } = await client.subscribe('notes'));
    }
    const { id } = await write({ text: 'one' });
    for (let n = 0; n < 120; n += 1) await patch(id, { text: `${n}` });
    const last = await write({ text: 'last' });
    await using client = await reader();
    await client.subscribe('notes', { since: cursor });
    const events = await eventsUntil(client, last.id);
    expect(events.map(({ event, document }) => [event, document.text])).toEqual([
      ['created', '119'],
      ['created', 'last'],
    ]);
  });
});

test('14: what readers do not see yet is not told', async () => {
  await using t = await liveApp();
  const pool = t.cells.pool(t.projects[0].cell);
  const visible = new VisibleCommits(pool, 1);
  const writer = await pool.connect();
  await writer.query('BEGIN');
  const { rows } = await writer.query<{ xid: string }>('SELECT pg_current_xact_id()::xid::text AS xid');
  const told = visible.until([Number(rows[0]!.xid)], AbortSignal.timeout(10_000)).then(() => 'told');
  const soon = pool.query('SELECT pg_sleep(0.2)').then(() => 'not told');
  expect(await Promise.race([told, soon])).toBe('not told');
  await writer.query('COMMIT');
  writer.release();
  expect(await told).toBe('told');
});
