// @postgres newest
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LiveClient } from '../support/live-client.ts';
import { hears, ownServer, resyncs, textsOf, writeAgain } from './failover-scene.ts';
import { engines, type LiveApp } from './live-app.ts';

/** Subscribes as soon as there is a server again. */
async function follow(t: LiveApp, since?: string): Promise<LiveClient> {
  const client = await t.live();
  await client.subscribe('notes', since === undefined ? {} : { since });
  return client;
}

describe.each(engines)('a failover that keeps the replication slot, %s', (_, settings) => {
  test('begins the feed anew if something was told that is not there, and goes on otherwise', async () => {
    await using s = await ownServer(settings());
    const { t, postgres } = s;
    await postgres.copy();
    await using first = await follow(t);
    const pages = Array.from({ length: 30 }, () => ({ text: randomBytes(5000).toString('hex') }));
    await writeAgain(t, 'lost');
    const { status } = await t.api.post('/collections/notes/batch', { documents: pages });
    expect(status).toBe(201);
    const told = await hears(first, pages.at(-1)!.text);

    // What is written now has positions in the log at which something else was told before.
    await postgres.failOver('the copy');
    await writeAgain(t, 'first of the new server');
    await using second = await follow(t, told.cursor);
    await second.next('resync', () => true, 60_000);
    expect(await textsOf(t)).toEqual(['first of the new server']);
    await writeAgain(t, 'second of the new server');
    const { cursor } = await hears(second, 'second of the new server');

    await postgres.failOver('a full standby');
    await writeAgain(t, 'of the third server');
    await using third = await follow(t, cursor);
    await hears(third, 'of the third server');
    expect(resyncs(third)).toBe(0);
  });
});
