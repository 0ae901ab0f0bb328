// @postgres newest
import { randomUUID } from 'node:crypto';
import { closeCodes } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { regenerateKey, setOrigins } from '../../src/features/control/projects/index.ts';
import { LiveClient } from '../support/live-client.ts';
import { newPerson } from '../support/people/people.ts';
import { bearer, engines, type LiveApp, liveApp } from './live-app.ts';

async function withNotes(t: LiveApp, settings: Record<string, unknown>) {
  const notes = `notes-${randomUUID()}`;
  await t.newCollection(notes, settings);
  const write = async (fields: Record<string, unknown>) =>
    (await t.api.post(`/collections/${notes}`, fields)).body.data as { id: string };
  return { notes, write };
}

describe.each(engines)('R2, R4: who sees what, %s', (_, overrides) => {
  let t: LiveApp;
  beforeAll(async () => {
    t = await liveApp(overrides());
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test('each subscriber gets what its rule lets it read, without hidden fields', async () => {
    const { notes, write } = await withNotes(t, {
      rules: { read: 'owner' },
      ownerField: 'owner',
      hiddenFields: ['secret'],
    });
    const [ada, ben] = [await newPerson(t), await newPerson(t)];
    await using server = await t.live();
    await using adas = await t.live(bearer(ada));
    await using bens = await t.live(bearer(ben));
    for (const client of [server, adas, bens]) await client.subscribe(notes);
    const note = await write({ owner: ada.id, secret: 'canary', text: 'mine' });
    expect((await server.next('event')).document).toMatchObject({ secret: 'canary' });
    const seen = await adas.next('event');
    expect(seen.document).toEqual((await ada.me.get(`/collections/${notes}/${note.id}`)).body.data);
    expect(JSON.stringify(seen)).not.toContain('canary');
    const theirs = await write({ owner: ben.id });
    expect((await bens.next('event')).document.id).toBe(theirs.id);
    // It has another owner now: to the former one it is gone.
    await t.api.patch(`/collections/${notes}/${note.id}`, { owner: ben.id });
    expect(await adas.next('event')).toMatchObject({ event: 'deleted', document: { id: note.id } });
    expect(await bens.next('event')).toMatchObject({ event: 'created', document: { id: note.id } });
  });

  test.each(['level=@user.role', '[or]level=reader&[or]@user.role=editor'])(
    'a role that is taken away counts before the next document: %s',
    async (read) => {
      const { notes, write } = await withNotes(t, { rules: { read } });
      const ada = await newPerson(t);
      await t.api.patch(`/auth-collections/users/${ada.id}`, { role: 'editor' });
      await using client = await t.live(bearer(ada));
      await client.subscribe(notes);
      const first = await write({ level: 'editor' });
      expect((await client.next('event')).document.id).toBe(first.id);
      await t.api.patch(`/auth-collections/users/${ada.id}`, { role: 'reader' });
      await write({ level: 'editor' });
      const last = await write({ level: 'reader' });
      await client.next('resync');
      expect((await client.next('event')).document.id).toBe(last.id);
    },
  );

  test('a rule that is closed ends subscriptions, and a collection that is deleted', async () => {
    const { notes, write } = await withNotes(t, { rules: { read: 'users' } });
    const ada = await newPerson(t);
    await using client = await t.live(bearer(ada));
    await client.subscribe(notes);
    await write({});
    await client.next('event');
    await t.api.patch(`/collections/${notes}`, { settings: { rules: { read: 'locked' } } });
    await write({});
    expect(await client.next('error')).toMatchObject({ id: 'a', code: 'rule_denied' });
    await using server = await t.live();
    await server.subscribe(notes);
    await t.api.delete(`/collections/${notes}`);
    expect(await server.next('error')).toMatchObject({ id: 'a', code: 'collection_not_found' });
    expect(client.messages.filter(({ type }) => type === 'event')).toEqual([]);
  });

  test('a rule that turns out to go through a link ends subscriptions before the document that has the link', async () => {
    const posts = `posts-${randomUUID()}`;
    await t.newCollection(posts, {});
    const { notes, write } = await withNotes(t, { rules: { read: 'post.status__ne=draft' } });
    const ada = await newPerson(t);
    await using client = await t.live(bearer(ada));
    await client.subscribe(notes);
    const draft = (await t.api.post(`/collections/${posts}`, { status: 'draft' })).body.data as {
      id: string;
    };
    await write({ post: draft.id });
    expect(await client.next('error')).toMatchObject({ id: 'a', code: 'not_live' });
    expect(client.messages.filter(({ type }) => type === 'event')).toEqual([]);
  });

  test('who was away while a rule or its own role changed is told to read again', async () => {
    const { notes, write } = await withNotes(t, { rules: { read: 'level=@user.role' } });
    const ada = await newPerson(t);
    const subscribed = async (since?: string) => {
      await using client = await t.live(bearer(ada));
      const { cursor } = await client.subscribe(notes, since === undefined ? {} : { since });
      if (since !== undefined) await client.next('resync');
      return cursor;
    };
    let cursor = await subscribed();
    await write({ level: 'user' });
    await t.api.patch(`/auth-collections/users/${ada.id}`, { role: 'editor' });
    cursor = await subscribed(cursor);
    await t.api.patch(`/collections/${notes}`, { settings: { rules: { read: 'users' } } });
    await subscribed(cursor);
  });

  test('R1: it ends with the sign-in, with the suspension of its user, and with the key', async () => {
    const { notes } = await withNotes(t, { rules: { read: 'users' } });
    const [ada, ben] = [await newPerson(t), await newPerson(t)];
    await using adas = await t.live(bearer(ada));
    await using bens = await t.live(bearer(ben));
    await adas.subscribe(notes);
    await ada.me.post('/auth-collections/logout');
    expect((await adas.closed).code).toBe(closeCodes.notSignedIn);
    await bens.subscribe(notes);
    await t.api.patch(`/auth-collections/users/${ben.id}`, { suspended: true });
    expect((await bens.closed).code).toBe(closeCodes.notSignedIn);
    // Another project: the others go on with their key.
    const { ref, apiKey } = await t.createProject();
    await using server = await t.live({ 'x-api-key': apiKey });
    await regenerateKey(t.control, ref);
    expect((await server.closed).code).toBe(closeCodes.notSignedIn);
  });
});

describe('getting in', () => {
  let t: LiveApp;
  beforeAll(async () => {
    t = await liveApp();
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test('R1: a page of a foreign origin, a wrong token and a wrong key are refused', async () => {
    await setOrigins(t.control, t.projects[0].ref, ['https://app.example.com']);
    const path = `${t.url}/p/${t.projects[0].ref}`;
    const refusedBy = async (headers: Record<string, string>) => {
      await using client = new LiveClient(`${path}/realtime`, headers);
      const { code } = await client.closed;
      return code;
    };
    expect(await refusedBy({ origin: 'https://evil.example.com' })).toBe(1006);
    expect(await refusedBy({ authorization: 'Bearer nonsense' })).toBe(1006);
    expect(await refusedBy({ 'x-api-key': `plk_${'a'.repeat(43)}` })).toBe(1006);
    await using allowed = await LiveClient.open(path, { origin: 'https://app.example.com' });
    expect(allowed.messages).toEqual([]);
  });

  test('who it is can be said in the first message, and the origin is checked then', async () => {
    await setOrigins(t.control, t.projects[0].ref, ['https://app.example.com']);
    const ada = await newPerson(t);
    const { notes } = await withNotes(t, { rules: { read: 'users' } });
    await using client = new LiveClient(`${t.url}/realtime`);
    const opened = new Promise((open) => client.socket.once('open', open));
    await opened;
    expect(await client.refusal({ type: 'subscribe', id: 'a', collection: notes })).toMatchObject({
      code: 'invalid_message',
    });
    expect(await client.refusal({ type: 'auth', token: 'nonsense' })).toMatchObject({
      code: 'invalid_credentials',
    });
    client.send({ type: 'auth', token: ada.token });
    expect((await client.next('ready')).user).toBe(ada.id);
    await client.subscribe(notes);
    await using foreign = new LiveClient(`${t.url}/realtime`, { origin: 'https://evil.example.com' });
    await new Promise((open) => foreign.socket.once('open', open));
    expect(await foreign.refusal({ type: 'auth', token: ada.token })).toMatchObject({
      code: 'origin_not_allowed',
    });
  });

  test('somebody who was let in as nobody may still say who they are, once', async () => {
    const [ada, ben] = [await newPerson(t), await newPerson(t)];
    const { notes } = await withNotes(t, { rules: { read: 'users' } });
    await using client = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
    expect((await client.refusal({ type: 'subscribe', id: 'a', collection: notes })).code).toBe(
      'credential_required',
    );
    client.send({ type: 'auth', token: ada.token });
    expect((await client.next('ready')).user).toBe(ada.id);
    await client.subscribe(notes);
    expect((await client.refusal({ type: 'auth', token: ben.token })).code).toBe('invalid_message');
  });

  test('where the address names no project the token does, also on a node that has a root project', async () => {
    const { url } = await t.node({ ROOT_PROJECT: t.projects[0].ref });
    const [ada, foreign] = [await newPerson(t), await newPerson(t, { project: 1 })];
    await using client = await t.live({}, url);
    client.send({ type: 'auth', token: foreign.token });
    expect((await client.next('ready')).user).toBe(foreign.id);
    expect((await client.refusal({ type: 'auth', token: ada.token })).code).toBe('invalid_message');
    await using named = await t.live({}, `${url}/p/${t.projects[0].ref}`);
    expect((await named.refusal({ type: 'auth', token: foreign.token })).code).toBe('invalid_credentials');
  });

  test('R1: a token that ends closes the connection', async () => {
    const ada = await newPerson(t);
    const { ticket } = (await ada.me.post('/realtime/ticket')).body.data as { ticket: string };
    // As if it had been made with a token in its last ten seconds.
    await t.cells
      .pool(t.projects[0].cell)
      .query(`UPDATE cell.realtime_tickets SET token_expires_at = now() + interval '10 seconds'`);
    const openedAt = performance.now();
    await using client = new LiveClient(`${t.url}/realtime?ticket=${ticket}`);
    await client.next('ready');
    expect(await client.closed).toEqual({ code: closeCodes.notSignedIn, reason: 'the token has expired' });
    expect(performance.now() - openedAt).toBeLessThan(60_000);
  });
});
