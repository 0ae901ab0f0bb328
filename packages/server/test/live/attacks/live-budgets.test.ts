// @postgres newest
import { describe, expect, test } from 'vitest';
import { setRooms } from '../../../src/features/control/projects/index.ts';
import { MemoryBus } from '../../../src/platform/bus/memory-bus.ts';
import { longestSilence } from '../../support/calls/longest-silence.ts';
import { Client } from '../../support/client.ts';
import { LiveClient } from '../../support/live-client.ts';
import { newPerson } from '../../support/people/people.ts';
import { bearer, beginFeed, engines, liveApp } from '../live-app.ts';

async function join(client: LiveClient, room: string) {
  client.send({ type: 'join', room });
  return client.next('joined');
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe.each(engines)('2: a message of any depth, %s', (_, overrides) => {
  test('is refused past the depth of a document, and ends no process', async () => {
    await using t = await liveApp(overrides());
    await using one = await t.live();
    await using other = await t.live();
    for (const client of [one, other]) await join(client, 'chat');
    for (const type of ['broadcast', 'presence']) {
      const field = type === 'broadcast' ? 'message' : 'state';
      for (const levels of [33, 1000, 4390, 30_000]) {
        one.socket.send(`{"type":"${type}","room":"chat","${field}":${nested(levels)}}`);
        expect((await one.next('error')).code).toBe('invalid_json_value');
      }
    }
    one.socket.send(`{"type":"broadcast","room":"chat","message":${nested(32)}}`);
    await other.next('message');
  });
});

test('2: what a listener throws harms neither the sender nor the others', async () => {
  const errors: unknown[] = [];
  const bus = new MemoryBus({ error: (error: unknown) => errors.push(error) });
  const heard: string[] = [];
  await bus.listen('a', () => {
    throw new RangeError('too deep');
  });
  await bus.listen('a', (text) => heard.push(text));
  await bus.publish('a', 'hello');
  expect(heard).toEqual(['hello']);
  expect(errors).toHaveLength(1);
});

test('1: a text that never ends is refused at once, also from somebody who has not signed in', async () => {
  await using t = await liveApp();
  await using nobody = new LiveClient(`${t.url}/realtime`);
  await new Promise((open) => nobody.socket.once('open', open));
  const sent = Promise.resolve().then(async () => {
    nobody.socket.send(`"${'\\"'.repeat(32_000)}`);
    return nobody.next('error');
  });
  expect(await longestSilence(t.anonymous, sent)).toBeLessThan(5000);
  expect((await sent).code).toBe('invalid_message');
});

test('4: a snapshot has a limit in bytes, and pages of it too', async () => {
  await using t = await liveApp();
  await t.newCollection('large', { rules: { read: 'public' } });
  const text = 'x'.repeat(400_000);
  const add = (count: number) =>
    t.api.post('/collections/large/batch', { documents: Array.from({ length: count }, () => ({ text })) });
  expect((await add(20)).status).toBe(201);
  await beginFeed(t, 'large');
  await using nobody = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
  nobody.send({ type: 'subscribe', id: 'a', collection: 'large', snapshot: true });
  let read = 0;
  for (;;) {
    const page = await nobody.next('snapshot');
    expect(page.documents.length).toBeLessThanOrEqual(4);
    read += page.documents.length;
    if (!('more' in page)) break;
  }
  expect(read).toBe(20);
  expect((await add(30)).status).toBe(201);
  nobody.send({ type: 'subscribe', id: 'b', collection: 'large', snapshot: true });
  expect((await nobody.next('error')).code).toBe('snapshot_too_large');
});

test('13: presence costs what a room may spend, however many are in it', async () => {
  await using t = await liveApp();
  await setRooms(t.control, t.projects[0].ref, { lobby: 'public' });
  const url = `${t.url}/p/${t.projects[0].ref}`;
  const members = await Promise.all(Array.from({ length: 120 }, () => t.live({}, url)));
  for (const member of members) member.send({ type: 'join', room: 'lobby' });
  await Promise.all(members.map((member) => member.next('joined')));
  const [first] = members as [LiveClient];
  await first.next('presence', ({ members }) => members.length === 120);
  expect((await first.refusal({ type: 'presence', room: 'lobby', state: 'x'.repeat(4000) })).code).toBe(
    'invalid_message',
  );
  for (const member of members) member.send({ type: 'presence', room: 'lobby', state: 'x'.repeat(500) });
  const all = first.next('presence', (one) => one.members.every(({ state }) => state !== undefined));
  expect(await longestSilence(t.anonymous, all)).toBeLessThan(5000);
  await Promise.all(members.map((member) => member[Symbol.asyncDispose]()));
});

describe('14: a cursor', () => {
  test('is good for its caller, and not for the time before it came', async () => {
    await using t = await liveApp();
    await t.newCollection('notes', { rules: { read: 'public' } });
    const [ada, ben] = [await newPerson(t), await newPerson(t)];
    await using adas = await t.live(bearer(ada));
    const { cursor: early } = await adas.subscribe('notes');
    const { id } = (await t.api.post('/collections/notes', { text: 'soon gone' })).body.data;
    const { cursor: late } = await adas.next('event');
    await t.api.delete(`/collections/notes/${id}`);
    const [epoch, , since, signature] = late.split(':');
    const before = `${BigInt(since!.split('-')[0]!) - 100_000n}-0`;
    await using bens = await t.live(bearer(ben));
    await using nobody = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
    const forged = [
      early,
      `${epoch}:${before}`,
      `${epoch}:${before}:${before}:${signature}`,
      `${epoch}:${before}:${since}:${signature}`,
      `${epoch}:${since}:${since}:${'A'.repeat(43)}`,
    ];
    for (const client of [bens, nobody]) {
      for (const [n, cursor] of forged.entries()) {
        await client.subscribe('notes', { id: `${n}`, since: cursor });
        await client.next('resync', (message) => message.id === `${n}`);
      }
      expect(client.messages.filter(({ type }) => type === 'event')).toEqual([]);
    }
    // Its own goes on where it was.
    await using again = await t.live(bearer(ada));
    await again.subscribe('notes', { since: early });
    expect(await again.next('event')).toMatchObject({ event: 'deleted', document: { id } });
  });

  test('of somebody who signs in later is good for the time since then', async () => {
    await using t = await liveApp();
    await t.newCollection('notes', { rules: { read: 'public' } });
    const ada = await newPerson(t);
    await using client = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
    const { cursor } = await client.subscribe('notes');
    client.send({ type: 'auth', token: ada.token });
    await client.next('ready');
    await new Client(t.url, { 'x-api-key': t.projects[0].apiKey }).post('/collections/notes', { n: 1 });
    const { cursor: hers } = await client.next('event');
    await using adas = await t.live(bearer(ada));
    await adas.subscribe('notes', { id: 'a', since: cursor });
    await adas.next('resync');
    await adas.subscribe('notes', { id: 'b', since: hers });
    expect(adas.messages.filter(({ type }) => type === 'resync')).toEqual([]);
  });
});

test.each(['@now', '%40now', '%40%6eow'])(
  '15: a rule that compares with %s cannot be followed, however it is written',
  async (now) => {
    await using t = await liveApp();
    await t.newCollection('offers', { rules: { read: `expires__gt=${now}` } });
    await using nobody = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
    expect((await nobody.refusal({ type: 'subscribe', id: 'a', collection: 'offers' })).code).toBe(
      'not_live',
    );
  },
);

test('22: callers who are not signed in leave places to those who are, and one user to others', async () => {
  await using t = await liveApp({ REALTIME_CONNECTIONS: '8' });
  const url = `${t.url}/p/${t.projects[0].ref}`;
  const [ada, ben] = [await newPerson(t), await newPerson(t)];
  const open = [];
  for (let n = 0; n < 4; n += 1) open.push(await t.live({}, url));
  await using fifth = new LiveClient(`${url}/realtime`);
  expect((await fifth.next('error')).code).toBe('too_many_subscriptions');
  for (let n = 0; n < 2; n += 1) open.push(await t.live(bearer(ada)));
  await using third = new LiveClient(`${t.url}/realtime`, bearer(ada));
  expect((await third.next('error')).code).toBe('too_many_subscriptions');
  open.push(await t.live(bearer(ben)), await t.live());
  await Promise.all(open.map((client) => client[Symbol.asyncDispose]()));
});
