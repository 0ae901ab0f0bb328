// @postgres newest
import { closeCodes } from '@plinth/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeKey, deleteKey } from '../../../src/features/control/api-keys/index.ts';
import { regenerateKey, setBrowserKeys, setOrigins } from '../../../src/features/control/projects/index.ts';
import { Client } from '../../support/client.ts';
import { newKey } from '../../support/control/keys.ts';
import { LiveClient } from '../../support/live-client.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const ref = () => t.projects[0].ref;
beforeAll(async () => {
  for (const name of ['orders', 'secrets']) await t.api.post('/collections', { name });
});

const connect = (apiKey: string, url = t.url) => LiveClient.open(url, { 'x-api-key': apiKey });

/** What a key with these scopes is answered on a connection, however it was let in. */
async function connectionsOf(apiKey: string): Promise<LiveClient[]> {
  const { body } = await new Client(t.url, { 'x-api-key': apiKey }).post('/realtime/ticket');
  const byTicket = new LiveClient(`${t.url}/realtime?ticket=${body.data.ticket}`);
  await byTicket.next('ready');
  const byMessage = new LiveClient(`${t.url}/realtime`);
  await new Promise((open) => byMessage.socket.once('open', open));
  byMessage.send({ type: 'auth', token: apiKey });
  await byMessage.next('ready');
  return [await connect(apiKey), byTicket, byMessage];
}

describe('a live connection hears only what the scopes of its key allow', () => {
  test('subscriptions and snapshots are to collections that it may read', async () => {
    const { apiKey } = await newKey(t, ['collection:orders:read']);
    for (const client of await connectionsOf(apiKey)) {
      await using live = client;
      await live.subscribe('orders', { id: 'a', snapshot: true });
      // What is written before may be in it, and is then no event.
      await live.next('snapshot');
      for (const collection of ['secrets', 'nothing', '00000000-0000-0000-0000-000000000000']) {
        const refused = await live.refusal({ type: 'subscribe', id: 'b', collection, snapshot: true });
        expect(refused.code).toBe('scope_missing');
      }
      const { code } = await live.refusal({ type: 'join', room: 'lobby' });
      expect(code).toBe('scope_missing');
      await t.api.post('/collections/secrets', { text: 'secret' });
      await t.api.post('/collections/orders', { text: 'order' });
      expect((await live.next('event')).document.text).toBe('order');
      expect(JSON.stringify(live.messages)).not.toContain('secret');
    }
  });

  test('writing is not reading, and Server-Sent Events are the same', async () => {
    const { client } = await newKey(t, ['collection:orders:write', 'realtime']);
    expect(await client.get('/realtime/sse/orders')).toFailWith(403, 'scope_missing');
    const { body } = await client.post('/realtime/ticket');
    const byTicket = new Client(`${t.url}/p/${ref()}`);
    const reply = await byTicket.get(`/realtime/sse/orders?ticket=${body.data.ticket}`);
    expect(reply).toFailWith(403, 'scope_missing');
  });

  test('rooms need realtime, and that alone opens no collection', async () => {
    const { apiKey } = await newKey(t, ['realtime']);
    await using live = await connect(apiKey);
    live.send({ type: 'join', room: 'lobby' });
    await live.next('presence');
    const refused = await live.refusal({ type: 'subscribe', id: 'b', collection: 'orders' });
    expect(refused.code).toBe('scope_missing');
  });

  test('a cursor of the API key, or from before a scope was given, leads nowhere', async () => {
    const { id, apiKey } = await newKey(t, ['collection:orders:read']);
    await using server = await connect(t.projects[0].apiKey);
    const { cursor: ofServer } = await server.subscribe('secrets');
    await using live = await connect(apiKey);
    const { cursor: early } = await live.subscribe('orders');
    const { body } = await t.api.post('/collections/secrets', { text: 'gone' });
    await server.next('event', ({ document }) => document.id === body.data.id);
    await t.api.delete(`/collections/secrets/${body.data.id}`);
    await changeKey(t.control, { ref: ref(), id }, { scopes: ['documents:read'] });
    await using later = await connect(apiKey);
    for (const [at, since] of [ofServer, early].entries()) {
      later.send({ type: 'subscribe', id: `${at}`, collection: 'secrets', since });
      // It begins anew.
      await later.next('resync', ({ id }) => id === `${at}`);
    }
    expect(JSON.stringify(later.messages)).not.toContain('gone');
  });
});

describe('a live connection ends, or hears less, with its key', () => {
  test('a deleted key, on the node that hears of it from another', async () => {
    const other = await t.node();
    const { id, apiKey } = await newKey(t, ['collection:orders:read']);
    await using live = await connect(apiKey, other.url);
    const ticket = (await new Client(t.url, { 'x-api-key': apiKey }).post('/realtime/ticket')).body.data
      .ticket;
    await deleteKey(t.control, { ref: ref(), id });
    expect((await live.closed).code).toBe(closeCodes.notSignedIn);
    await using late = new LiveClient(`${t.url}/realtime?ticket=${ticket}`);
    expect((await late.next('error')).code).toBe('invalid_credentials');
  });

  test('an expired key, to the moment', async () => {
    const { id, apiKey } = await newKey(t, ['collection:orders:read']);
    const all = await connectionsOf(apiKey);
    const expiresAt = new Date(Date.now() + 2000);
    await changeKey(t.control, { ref: ref(), id }, { expiresAt });
    for (const live of all) {
      expect((await live.closed).code).toBe(closeCodes.notSignedIn);
      expect(Date.now() - expiresAt.getTime()).toBeGreaterThan(-50);
    }
  });

  test('a scope that is taken away ends what it was for', async () => {
    const scopes = ['collection:orders:read', 'collection:secrets:read', 'realtime'];
    const { id, apiKey } = await newKey(t, scopes);
    const all = await connectionsOf(apiKey);
    for (const live of all) {
      await live.subscribe('orders', { id: 'a' });
      await live.subscribe('secrets', { id: 'b' });
      live.send({ type: 'join', room: 'lobby' });
      await live.next('presence');
    }
    await changeKey(t.control, { ref: ref(), id }, { scopes: ['collection:orders:read'] });
    for (const live of all) {
      const lost = await live.next('error', (error) => 'id' in error && error.id === 'b');
      expect(lost.code).toBe('scope_missing');
      await live.next('error', (error) => 'room' in error && error.room === 'lobby');
    }
    await t.api.post('/collections/orders', { text: 'still' });
    for (const live of all) await live.next('event', ({ document }) => document.text === 'still');
    // It is looked at again with the next message.
    await changeKey(t.control, { ref: ref(), id }, { scopes });
    for (const live of all) await live.subscribe('secrets', { id: 'c' });
    await changeKey(t.control, { ref: ref(), id }, { scopes: ['usage:read'] });
    for (const live of all) {
      const refused = await live.refusal({ type: 'subscribe', id: 'd', collection: 'orders' });
      expect(refused.code).toBe('scope_missing');
      await live[Symbol.asyncDispose]();
    }
  });

  test('an address that is no longer allowed', async () => {
    const { id, apiKey } = await newKey(t, ['collection:orders:read']);
    await using live = await connect(apiKey);
    await changeKey(t.control, { ref: ref(), id }, { addresses: ['192.0.2.1'] });
    expect((await live.closed).code).toBe(closeCodes.notSignedIn);
    const refused = new LiveClient(`${t.url}/realtime`, { 'x-api-key': apiKey });
    await refused.closed;
    expect(refused.messages).toEqual([]);
  });

  test('a replaced API key, also beside a user', async () => {
    const project = await t.createProject();
    const { body } = await project.api.post('/auth-collections/signup', {
      email: 'beside@example.com',
      password: 'correct horse',
    });
    const authorization = `Bearer ${body.access_token}`;
    await using both = await LiveClient.open(t.url, { 'x-api-key': project.apiKey, authorization });
    await using live = await connect(project.apiKey);
    await regenerateKey(t.control, project.ref);
    expect((await both.closed).code).toBe(closeCodes.notSignedIn);
    expect((await live.closed).code).toBe(closeCodes.notSignedIn);
  });
});

test('a key in a message from a browser is refused where the project says so', async () => {
  const { apiKey } = await newKey(t, ['collection:orders:read']);
  const origin = 'https://app.example.com';
  await setOrigins(t.control, ref(), [origin]);
  await setBrowserKeys(t.control, ref(), 'refuse');
  await using live = new LiveClient(`${t.url}/p/${ref()}/realtime`, { origin });
  await live.next('ready');
  expect((await live.refusal({ type: 'auth', token: apiKey })).code).toBe('key_in_browser');
  await setBrowserKeys(t.control, ref(), 'answer');
  live.send({ type: 'auth', token: apiKey });
  await live.next('ready');
});
