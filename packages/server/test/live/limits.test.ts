// @postgres newest
import { closeCodes } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { setTier } from '../../src/features/control/projects/index.ts';
import { roomInWindow } from '../support/calls/rate-window.ts';
import { LiveClient } from '../support/live-client.ts';
import { newPerson } from '../support/people/people.ts';
import { bearer, beginFeed, liveApp } from './live-app.ts';

test('R3: what is not understood is answered with an error, and the connection stays open', async () => {
  await using t = await liveApp();
  await t.api.post('/collections', { name: 'notes' });
  await using client = await t.live();
  const wrong: [unknown, string][] = [
    ['not json', 'invalid_message'],
    ['[]', 'invalid_message'],
    ['null', 'invalid_message'],
    [{ type: 'nothing' }, 'invalid_message'],
    [{ type: 'constructor' }, 'invalid_message'],
    [{ type: 'subscribe' }, 'invalid_message'],
    [{ type: 'subscribe', id: 'a', collection: 'notes', more: 1 }, 'invalid_message'],
    [{ type: 'subscribe', id: 7, collection: 'notes' }, 'invalid_message'],
    [{ type: 'subscribe', id: 'a', collection: 'nowhere' }, 'collection_not_found'],
    [{ type: 'subscribe', id: 'a', collection: 'notes', filter: 'a__nothing=1&&&' }, 'invalid_query'],
    [{ type: 'subscribe', id: 'a', collection: 'notes', filter: 'limit=1' }, 'invalid_query'],
    [{ type: 'subscribe', id: 'a', collection: 'notes', filter: '%' }, 'invalid_query'],
    [{ type: 'unsubscribe', id: 'a' }, 'invalid_message'],
    [{ type: 'broadcast', room: 'x', message: 1 }, 'invalid_message'],
  ];
  for (const [message, code] of wrong) {
    client.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    expect({ message, code: (await client.next('error')).code }).toEqual({ message, code });
  }
  client.socket.send(Buffer.from([1, 2, 3]));
  expect((await client.next('error')).code).toBe('invalid_message');
  client.send({ type: 'ping' });
  await client.next('pong');
});

test('R3: a connection has a hundred subscriptions, frames end at 64 KB, and a project has so many connections', async () => {
  await using t = await liveApp({ REALTIME_CONNECTIONS: '3' });
  await t.api.post('/collections', { name: 'notes' });
  await beginFeed(t, 'notes');
  await using client = await t.live();
  for (let n = 0; n < 100; n += 1) client.send({ type: 'subscribe', id: `s${n}`, collection: 'notes' });
  await client.next('subscribed', ({ id }) => id === 's99');
  expect(await client.refusal({ type: 'subscribe', id: 'more', collection: 'notes' })).toMatchObject({
    id: 'more',
    code: 'too_many_subscriptions',
  });
  client.send({ type: 'unsubscribe', id: 's1' });
  await client.subscribe('notes', { id: 'more' });
  client.socket.send('x'.repeat(1_048_576));
  expect((await client.closed).code).toBe(1009);

  await using first = await t.live();
  await using second = await t.live();
  await using third = await t.live();
  await using fourth = new LiveClient(`${t.url}/realtime`, { 'x-api-key': t.projects[0].apiKey });
  expect((await fourth.next('error')).code).toBe('too_many_subscriptions');
  expect((await fourth.closed).code).toBe(closeCodes.tooMany);
  await using elsewhere = await t.live({ 'x-api-key': t.projects[1].apiKey });
  for (const open of [first, second, third, elsewhere]) {
    open.send({ type: 'ping' });
    await open.next('pong');
  }
});

test('what cannot be followed is refused, and why', async () => {
  await using t = await liveApp();
  const ada = await newPerson(t);
  await t.newCollection('authors', { rules: { read: 'users' } });
  const author = await t.api.post('/collections/authors', { name: 'Ada' });
  await t.newCollection('notes', { rules: { read: 'users' } });
  await t.api.post('/collections/notes', { author: author.body.data.id });
  await t.newCollection('timed', { rules: { read: 'until__gt=@now' } });
  await using server = await t.live();
  expect(
    await server.refusal({ type: 'subscribe', id: 'a', collection: 'notes', filter: 'author.name=Ada' }),
  ).toMatchObject({ code: 'not_live' });
  await using client = await t.live(bearer(ada));
  expect(await client.refusal({ type: 'subscribe', id: 'b', collection: 'timed' })).toMatchObject({
    code: 'not_live',
  });
});

test('R5: who does not read is cut off, and told why; memory stays bounded', async () => {
  await using t = await liveApp();
  await t.api.post('/collections', { name: 'notes' });
  await using slow = await t.live();
  await using quick = await t.live();
  await slow.subscribe('notes');
  await quick.subscribe('notes');
  slow.socket.pause();
  const text = 'x'.repeat(500_000);
  const sent = 60;
  let mostWaiting = 0;
  const look = () => {
    for (const { bufferedAmount } of t.app.http.websocketServer.clients)
      mostWaiting = Math.max(mostWaiting, bufferedAmount);
  };
  for (let n = 0; n < sent; n += 1) {
    await t.api.post('/collections/notes', { text });
    look();
  }
  for (let n = 0; n < sent; n += 1) {
    await quick.next('event');
    look();
  }
  // 4 MB, and the message that was one too many.
  expect(mostWaiting).toBeGreaterThan(1_000_000);
  expect(mostWaiting).toBeLessThan(5_500_000);
  slow.socket.resume();
  const { code } = await slow.closed;
  expect([closeCodes.tooSlow, 1006]).toContain(code);
  expect(slow.messages.length).toBeLessThan(sent);
});

test('going on from a cursor is not a call, as often as a connection can have subscriptions', async () => {
  await using t = await liveApp();
  const { ref } = t.projects[0];
  await t.api.post('/collections', { name: 'notes' });
  await setTier(t.control, ref, 'enterprise', 300);
  await using before = await t.live();
  const { cursor } = await before.subscribe('notes');
  await roomInWindow(30_000);
  const remaining = async () =>
    Number((await t.api.get('/collections')).headers.get('x-ratelimit-remaining'));
  const left = await remaining();
  await using after = await t.live();
  for (let n = 0; n < 100; n += 1) await after.subscribe('notes', { id: `s${n}`, since: cursor });
  // The connection, and this question.
  expect(await remaining()).toBe(left - 2);
  after.send({ type: 'unsubscribe', id: 's0' });
  await after.subscribe('notes', { id: 's0', since: cursor });
  expect(await remaining()).toBe(left - 5);
  await using third = await t.live();
  await third.subscribe('notes', { since: `${cursor}x` });
  expect(await remaining()).toBe(left - 8);
});
