// @tables own moving
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let authors: string;
let ada: string;
beforeAll(async () => {
  stage = await Stage.open();
  authors = await stage.collection({}, 'authors');
  ada = (await stage.document(authors, { name: 'Ada' })).id;
});
afterAll(() => stage[Symbol.asyncDispose]());

const found = async (collection: string, filter: string) =>
  (await succeed(stage.api.get(`/collections/${collection}?${filter}`))).length;

const linksOf = (collection: string) => succeed(stage.api.get(`/collections/${collection}/links`));

test('the links of a collection are listed: where they are, where they lead, since when', async () => {
  const books = await stage.collection({}, 'books');
  const { id: user } = await stage.person();
  expect(await linksOf(books)).toEqual([]);
  const { id } = await stage.document(books, { meta: { author_ids: [ada] }, 'odd.name': ada });
  await stage.document(books, { by_id: user });
  await stage.document(books, { by_id: ada });
  await stage.document(books, { by_id: id });
  const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(await linksOf(books)).toEqual([
    { field: 'by_id', collections: [authors, books], users: true, createdAt },
    { field: 'meta.author_ids', collections: [authors], users: false, createdAt },
    { field: 'odd\\.name', collections: [authors], users: false, createdAt },
  ]);
});

test('a link that is dropped is followed no more, until it is written again', async () => {
  const books = await stage.collection({}, 'books');
  const other = await stage.t.node();
  const ask = async () => {
    const path = `${other.url}/p/${stage.ref}/collections/${books}?author.name=Ada`;
    const reply = await fetch(path, { headers: { 'x-api-key': stage.t.projects[0].apiKey } });
    return ((await reply.json()) as { total: number }).total;
  };
  await stage.document(books, { author_id: ada, 'a.b/c': ada });
  expect(await found(books, 'author.name=Ada')).toBe(1);
  await expect.poll(ask).toBe(1);
  expect(await succeed(stage.api.delete(`/collections/${books}/links/author_id`))).toEqual({
    field: 'author_id',
    deleted: true,
  });
  expect(await found(books, 'author.name=Ada')).toBe(0);
  await expect.poll(ask).toBe(0);
  expect(await stage.api.delete(`/collections/${books}/links/author_id`)).toFailWith(404, 'link_not_found');
  await succeed(stage.api.delete(`/collections/${books}/links/${encodeURIComponent('a\\.b/c')}`));
  expect(await linksOf(books)).toEqual([]);
  await stage.document(books, { author_id: ada });
  expect(await found(books, 'author.name=Ada')).toBe(2);
});

test('the id that a batch names its documents by is no link', async () => {
  const books = await stage.collection({}, 'books');
  const { id } = await stage.document(books, {});
  await succeed(stage.api.post(`/collections/${books}/batch-update`, { updates: [{ id, x: 1 }] }));
  await succeed(stage.api.put(`/collections/${books}/${id}`, { id, x: 2 }));
  expect(await linksOf(books)).toEqual([]);
});

test('rules follow a link again once it is known again', async () => {
  const { client, id } = await stage.person();
  const rooms = await stage.collection({}, 'rooms');
  const room = await stage.document(rooms, { member_ids: [id] });
  const notes = await stage.collection({ rules: { read: 'room.member_ids=@user.id' } }, 'notes');
  await stage.document(notes, { room_id: room.id });
  const seen = async () => (await succeed(client.get(`/collections/${notes}`))).length;
  expect(await seen()).toBe(1);
  await succeed(stage.api.delete(`/collections/${notes}/links/room_id`));
  expect(await seen()).toBe(0);
  await stage.document(notes, { room_id: room.id });
  expect(await seen()).toBe(2);
});

test('app users have a catalogue of their own', async () => {
  const users = '/auth-collections/users';
  await stage.person({ fan_of_id: ada });
  const asked = async () => (await succeed(stage.api.get(`${users}?data.fan_of.name=Ada`))).length;
  expect(await succeed(stage.api.get(`${users}/links`))).toMatchObject([
    { field: 'fan_of_id', collections: [authors], users: false },
  ]);
  expect(await asked()).toBe(1);
  await succeed(stage.api.delete(`${users}/links/fan_of_id`));
  expect(await succeed(stage.api.get(`${users}/links`))).toEqual([]);
  expect(await asked()).toBe(0);
  expect(await stage.api.delete(`${users}/links/fan_of_id`)).toFailWith(404, 'link_not_found');
});

test('a collection that does not exist has no links to list or to drop', async () => {
  expect(await stage.api.get('/collections/nowhere/links')).toFailWith(404, 'collection_not_found');
  expect(await stage.api.delete('/collections/nowhere/links/f')).toFailWith(404, 'collection_not_found');
});
