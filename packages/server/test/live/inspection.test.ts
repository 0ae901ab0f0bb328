// @postgres newest
// @needs redis
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Client } from '../support/client.ts';
import { newKey } from '../support/control/keys.ts';
import type { LiveClient } from '../support/live-client.ts';
import { newPerson } from '../support/people/people.ts';
import { startRedis } from '../support/redis.ts';
import { bearer, liveApp } from './live-app.ts';

async function join(client: LiveClient, room: string) {
  client.send({ type: 'join', room });
  await client.next('joined', (message) => message.room === room);
}

// Of its own: the nodes of other tests would be counted, too.
let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe.each(['in one process', 'with Redis'])('what goes on just now, %s', (name) => {
  const isShared = name === 'with Redis';
  const overrides = (): Record<string, string> => (isShared ? { REDIS_URL: redis.url } : {});

  test('rooms, connections and subscriptions of all nodes are told, and of no other project', async () => {
    await using t = await liveApp(overrides());
    const second = isShared ? await t.node() : t;
    await t.newCollection('notes', { rules: { read: 'users' } });
    const ada = await newPerson(t);
    await using server = await t.live();
    await using adas = await t.live(bearer(ada), second.url);
    await using foreign = await t.live({ 'x-api-key': t.projects[1].apiKey });
    await adas.subscribe('notes', { filter: 'state=open' });
    await join(server, 'chat-1');
    await join(server, 'chat-2');
    await using also = await t.live(undefined, second.url);
    await join(also, 'chat-2');
    await join(foreign, 'elsewhere');

    const seen = isShared ? { seen: 'all', nodes: 2 } : { seen: 'process', nodes: 1 };
    await expect
      .poll(async () => (await t.api.get('/realtime/rooms')).body)
      .toMatchObject({
        data: [
          { room: 'chat-2', members: 2 },
          { room: 'chat-1', members: 1 },
        ],
        total: 2,
        hasMore: false,
        ...seen,
      });
    // A node that answers late is left out.
    const whole = (path: string) =>
      vi.waitFor(async () => {
        const { body } = await t.api.get(path);
        expect(body).toMatchObject({ total: 3, ...seen });
        return body;
      }, 60_000);
    const body = await whole('/realtime/connections');
    expect(body.data.map(({ credential }: { credential: string }) => credential).toSorted()).toEqual([
      'apiKey',
      'apiKey',
      'user',
    ]);
    expect(body.data.find(({ user }: { user: string | null }) => user === ada.id)).toEqual({
      id: expect.any(String),
      user: ada.id,
      credential: 'user',
      transport: 'websocket',
      connectedAt: expect.any(String),
      subscriptionCount: 1,
      subscriptions: [{ collection: 'notes', filter: 'state=open' }],
      roomCount: 0,
      rooms: [],
    });
    const first = await whole('/realtime/connections?limit=2');
    const rest = await whole('/realtime/connections?limit=2&offset=2');
    expect([first.data.length, first.hasMore]).toEqual([2, true]);
    expect([rest.data.length, rest.hasMore]).toEqual([1, false]);
    expect([...first.data, ...rest.data]).toEqual(body.data);
    const { body: others } = await t.projects[1].api.get('/realtime/rooms');
    expect(others.data).toEqual([{ room: 'elsewhere', members: 1 }]);

    await adas[Symbol.asyncDispose]();
    await expect.poll(async () => (await t.api.get('/realtime/connections')).body.total).toBe(2);
    if (second !== t) await second.app.stop();
    await expect
      .poll(async () => (await t.api.get('/realtime/rooms')).body)
      .toMatchObject(isShared ? { total: 2, seen: 'all', nodes: 1 } : { total: 2 });
  });

  test('a page has a bound, and only a server looks', async () => {
    await using t = await liveApp(overrides());
    expect((await t.api.get('/realtime/rooms?limit=101')).body.limit).toBe(100);
    expect(await t.api.get('/realtime/rooms?offset=951')).toFailWith(400, 'invalid_query');
    const ada = await newPerson(t);
    expect(await ada.me.get('/realtime/connections')).toFailWith(403, 'api_key_required');
    const { client } = await newKey(t, ['realtime']);
    expect((await client.get('/realtime/rooms')).status).toBe(200);
    expect(await client.get('/realtime/connections')).toFailWith(403, 'scope_missing');
    expect((await new Client(`${t.url}/p/${t.projects[0].ref}`).get('/realtime/rooms')).status).toBe(401);
  });
});
