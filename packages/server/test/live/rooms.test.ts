// @postgres newest
import { describe, expect, test } from 'vitest';
import { setRooms } from '../../src/features/control/projects/index.ts';
import type { LiveClient } from '../support/live-client.ts';
import { newPerson } from '../support/people/people.ts';
import { bearer, engines, liveApp } from './live-app.ts';

async function join(client: LiveClient, room: string) {
  client.send({ type: 'join', room });
  return client.next('joined', (message) => message.room === room);
}

describe.each(engines)('rooms, %s', (_, overrides) => {
  test('messages reach everyone in the room, with their sender; presence shows who is there', async () => {
    await using t = await liveApp(overrides());
    const second = overrides().REDIS_URL === undefined ? t : await t.node();
    await setRooms(t.control, t.projects[0].ref, { 'chat-*': 'users' });
    const [ada, ben] = [await newPerson(t), await newPerson(t)];
    await using adas = await t.live(bearer(ada));
    await using bens = await t.live(bearer(ben), second.url);
    expect((await join(adas, 'chat-1')).members.map(({ user }) => user)).toEqual([ada.id]);
    expect(new Set((await join(bens, 'chat-1')).members.map(({ user }) => user))).toEqual(
      new Set([ada.id, ben.id]),
    );
    await adas.next('presence', ({ members }) => members.length === 2);
    bens.send({ type: 'broadcast', room: 'chat-1', message: { text: 'hello', from: 'somebody else' } });
    for (const client of [adas, bens]) {
      const { from, message } = await client.next('message');
      expect(from.user).toBe(ben.id);
      expect(message).toEqual({ text: 'hello', from: 'somebody else' });
    }
    adas.send({ type: 'presence', room: 'chat-1', state: { typing: true } });
    const { members } = await bens.next('presence', ({ members }) => members.some(({ state }) => state));
    expect(members.find(({ user }) => user === ada.id)?.state).toEqual({ typing: true });
    await adas[Symbol.asyncDispose]();
    await bens.next('presence', ({ members }) => members.length === 1);
  });

  test('rules say who may join; those who may no longer are put out', async () => {
    await using t = await liveApp(overrides());
    const { ref } = t.projects[0];
    const ada = await newPerson(t);
    await using server = await t.live();
    await using adas = await t.live(bearer(ada));
    await using nobody = await t.live({}, `${t.url}/p/${ref}`);
    const refusedTo = async (client: LiveClient, room: string) => {
      const refusal = await client.refusal({ type: 'join', room });
      expect(refusal.room).toBe(room);
      return refusal.code;
    };
    await join(server, 'anything');
    expect(await refusedTo(adas, 'anything')).toBe('room_closed');
    await setRooms(t.control, ref, {
      lobby: 'public',
      'inbox-{user.id}': 'users',
      '{user.role}s-*': 'users',
    });
    // Rules count at once, also for who is connected already.
    await join(adas, `inbox-${ada.id}`);
    await using later = await t.live(bearer(ada));
    await using anonymous = await t.live({}, `${t.url}/p/${ref}`);
    await join(anonymous, 'lobby');
    expect(await refusedTo(anonymous, 'inbox-')).toBe('room_closed');
    expect(await refusedTo(nobody, 'users-1')).toBe('room_closed');
    await join(later, `inbox-${ada.id}`);
    await join(later, 'users-1');
    expect(await refusedTo(later, 'inbox-somebody')).toBe('room_closed');
    await t.api.patch(`/auth-collections/users/${ada.id}`, { role: 'guest' });
    expect(await later.next('error')).toMatchObject({ code: 'room_closed', room: 'users-1' });
    expect((await later.refusal({ type: 'broadcast', room: 'users-1', message: 1 })).code).toBe(
      'invalid_message',
    );
  });

  test('rooms of one name in two projects know nothing of each other', async () => {
    await using t = await liveApp(overrides());
    const [one, two] = t.projects;
    await using first = await t.live({ 'x-api-key': one.apiKey });
    await using second = await t.live({ 'x-api-key': two.apiKey });
    await join(first, 'room');
    expect((await join(second, 'room')).members).toHaveLength(1);
    first.send({ type: 'broadcast', room: 'room', message: 'mine' });
    await first.next('message');
    second.send({ type: 'broadcast', room: 'room', message: 'theirs' });
    expect((await second.next('message')).message).toBe('theirs');
  });
});
