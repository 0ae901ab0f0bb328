// @tables own moving
import { beforeAll, expect, test } from 'vitest';
import { rawCall } from '../../support/calls/raw-call.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let posts: NewCollection;
beforeAll(async () => {
  posts = await newCollection(t.api);
});

const ifMatch = (value: string) => ({ headers: { 'If-Match': value } });

test('every answer with one document carries its version as the ETag', async () => {
  const created = await t.api.post(posts.path, {});
  const at = `${posts.path}/${created.body.data.id}`;
  const tags = [
    created,
    await t.api.get(at),
    await t.api.patch(at, { a: 1 }),
    await t.api.put(at, { b: 1 }),
    await t.api.get(`${at}?select=b`),
  ].map(({ headers }) => headers.get('etag'));
  expect(tags).toEqual(['"1"', '"1"', '"2"', '"3"', '"3"']);
});

test.each<[string, string]>([
  ['the version', '"2"'],
  ['any version', '*'],
  ['a list with the version in it', '"7", "2"'],
  ['a list without spaces', '"1","2","3"'],
])('If-Match with %s lets PATCH, PUT and DELETE pass', async (_name, value) => {
  for (const write of ['PATCH', 'PUT', 'DELETE']) {
    const { id } = await newDocument(t.api, posts.path, {});
    await t.api.patch(`${posts.path}/${id}`, { a: 1 });
    const body = write === 'DELETE' ? undefined : { b: 1 };
    expect((await t.api.call(write, `${posts.path}/${id}`, body, ifMatch(value))).status).toBe(200);
  }
});

test.each<[string, string]>([
  ['an older version', '"1"'],
  ['a list of others', '"1", "3"'],
  ['a weak tag', 'W/"2"'],
  ['a bare number', '2'],
  ['nothing', ''],
  ['an unknown form', '"two"'],
  ['a number past all versions', '"99999999999999999999"'],
])('If-Match with %s is version_mismatch and nothing changes', async (_name, value) => {
  const { id } = await newDocument(t.api, posts.path, { a: 0 });
  const at = `${posts.path}/${id}`;
  const before = (await t.api.patch(at, { a: 1 })).body.data;
  for (const reply of [
    await t.api.patch(at, { b: 1 }, ifMatch(value)),
    await t.api.put(at, { b: 1 }, ifMatch(value)),
    await t.api.delete(at, ifMatch(value)),
  ]) {
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 'version_mismatch', details: { version: 2 } });
  }
  const after = await t.api.get(at);
  expect(after.body.data).toEqual(before);
  expect(after.headers.get('etag')).toBe('"2"');
});

test('If-Match sent twice is one list', async () => {
  const { id } = await newDocument(t.api, posts.path, {});
  const send = (...tags: string[]) =>
    rawCall(
      t.url,
      `PATCH ${posts.path}/${id} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
        `X-API-Key: ${t.projects[0].apiKey}\r\nContent-Type: application/json\r\nContent-Length: 7\r\n` +
        `${tags.map((tag) => `If-Match: ${tag}\r\n`).join('')}\r\n{"a":1}`,
    );
  expect((await send('"5"', '"6"')).status).toBe(400);
  expect((await send('"5"', '"1"')).status).toBe(200);
});

test('a document that is not there is 404, whatever If-Match says', async () => {
  const { id } = await newDocument(t.api, posts.path, {});
  await t.api.delete(`${posts.path}/${id}`);
  for (const value of ['*', '"1"', '']) {
    expect((await t.api.patch(`${posts.path}/${id}`, {}, ifMatch(value))).status).toBe(404);
    expect((await t.api.delete(`${posts.path}/${id}`, ifMatch(value))).status).toBe(404);
  }
});

test('of 20 writers who read the same version one succeeds', async () => {
  const { id } = await newDocument(t.api, posts.path, { winner: null });
  const at = `${posts.path}/${id}`;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, writer) => t.api.patch(at, { winner: writer }, ifMatch('"1"'))),
  );
  const winners = replies.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(replies.filter(({ body }) => body.error?.code === 'version_mismatch')).toHaveLength(19);
  expect((await t.api.get(at)).body.data).toEqual(winners[0]!.body.data);
});
