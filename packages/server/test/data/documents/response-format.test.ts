// @tables own moving
import { beforeAll, expect, test } from 'vitest';
import { setResponseFormat } from '../../../src/features/control/projects/index.ts';
import { Client, type Reply } from '../../support/client.ts';
import { type NewCollection, newCollection } from '../../support/data/new-collection.ts';
import { eventually } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const bare = { headers: { 'X-Response-Format': 'bare' } };
const enveloped = { headers: { 'X-Response-Format': 'envelope' } };

const t = useTestApp();
let posts: NewCollection;
beforeAll(async () => {
  posts = await newCollection(t.api);
  const documents = Array.from({ length: 7 }, (_, n) => ({ n, title: `what? ${n}` }));
  await t.api.post(`${posts.path}/batch`, { documents });
});

test('success comes in the envelope, a list with its figures beside data', async () => {
  const list = await t.api.get(`${posts.path}?limit=3&offset=1`);
  expect(Object.keys(list.body)).toEqual([
    'success',
    'data',
    'collection',
    'total',
    'limit',
    'offset',
    'hasMore',
    'nextCursor',
  ]);
  expect(list.body).toMatchObject({ success: true, total: 7, limit: 3, offset: 1, hasMore: true });
  expect(list.body.collection).toMatchObject({ id: posts.id, name: posts.name, documentCount: 7 });
  expect(list.body.data.map(({ n }: { n: number }) => n)).toEqual([5, 4, 3]);
  const one = await t.api.get(`${posts.path}/${list.body.data[0].id}`);
  expect(one.body).toEqual({ success: true, data: list.body.data[0] });
});

test('the last page says that there are no more', async () => {
  const { body } = await t.api.get(`${posts.path}?limit=7`);
  expect(body).toMatchObject({ hasMore: false, nextCursor: null, total: 7 });
});

test('with the header the body is the value of data alone', async () => {
  const created = await t.api.post(posts.path, { title: 'bare' }, bare);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ title: 'bare', id: expect.any(String) });
  const read = await t.api.get(`${posts.path}/${created.body.id}`, bare);
  expect(read.body).toEqual(created.body);
  const deleted = await t.api.delete(`${posts.path}/${created.body.id}`, bare);
  expect(deleted.body).toEqual({ id: created.body.id, deleted: true });
  const collections = await t.api.get('/collections', bare);
  expect(collections.body).toEqual([expect.objectContaining({ name: posts.name })]);
});

/** Follows Link from page to page as a client would, resolving it against the address it came from. */
async function follow(api: Client, path: string): Promise<{ pages: Reply[]; numbers: number[] }> {
  const pages: Reply[] = [];
  let next: string | undefined = path;
  while (next !== undefined && pages.length < 20) {
    const page: Reply = await api.get(next, bare);
    expect(page.status).toBe(200);
    pages.push(page);
    const link = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    const target: URL | undefined = link === undefined ? undefined : new URL(link, `${api.baseUrl}${next}`);
    next = target && `${target.pathname}${target.search}`;
  }
  return { pages, numbers: pages.flatMap(({ body }) => body.map(({ n }: { n: number }) => n)) };
}

test.each([
  ['the bare address', () => ''],
  ['the address of the project', () => `/p/${t.projects[0].ref}`],
])('in the bare form X-Total-Count and Link page through the list at %s', async (_name, prefix) => {
  const { pages, numbers } = await follow(t.api, `${prefix()}${posts.path}?limit=3&orderBy=n&n__lt=7`);
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(pages.map(({ body }) => body.length)).toEqual([3, 3, 1]);
  expect(pages.map(({ headers }) => headers.get('x-total-count'))).toEqual(['7', '7', '7']);
});

test('Link continues from an offset without repeating it', async () => {
  const { numbers } = await follow(t.api, `${posts.path}?offset=2&limit=2&orderBy=n`);
  expect(numbers).toEqual([2, 3, 4, 5, 6]);
});

test('Link keeps every parameter, also after a question mark in a value', async () => {
  const { pages, numbers } = await follow(t.api, `${posts.path}?title__contains=what?&limit=2&orderBy=n`);
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(pages.map(({ body }) => body.length)).toEqual([2, 2, 2, 1]);
});

test('a count that was not wanted is in neither form', async () => {
  const none = { Prefer: 'count=none' };
  const inBare = await t.api.get(posts.path, { headers: { ...bare.headers, ...none } });
  expect(inBare.headers.get('x-total-count')).toBeNull();
  expect((await t.api.get(posts.path, { headers: none })).body).not.toHaveProperty('total');
});

test('the project’s setting decides where the header does not, on every node', async () => {
  const { ref, api, apiKey } = await t.createProject();
  const other = new Client((await t.node()).url, { 'x-api-key': apiKey });
  const isBare = async (client: Client, options = {}) =>
    Array.isArray((await client.get('/collections', options)).body);
  expect(await isBare(api)).toBe(false);
  await setResponseFormat(t.control, ref, 'bare');
  for (const client of [api, other]) {
    await eventually('the node answers in the bare form', () => isBare(client));
    expect(await isBare(client, enveloped)).toBe(false);
    expect(await isBare(client, bare)).toBe(true);
    expect(await isBare(client, { headers: { 'X-Response-Format': 'BARE' } })).toBe(true);
  }
  await setResponseFormat(t.control, ref, 'envelope');
  await eventually('the envelope is back', async () => !(await isBare(api)));
});

test('a failure has the same form in both, with the request’s id', async () => {
  for (const options of [bare, enveloped, {}]) {
    const failed = await t.api.get('/collections/nowhere', options);
    expect(failed.status).toBe(404);
    expect(failed.body).toEqual({
      success: false,
      error: {
        code: 'collection_not_found',
        message: expect.stringContaining('POST /collections'),
        requestId: failed.headers.get('x-request-id'),
      },
    });
  }
  const named = await t.api.get('/collections/nowhere', { headers: { 'X-Request-Id': 'trace-12345678' } });
  expect(named.body.error.requestId).toBe('trace-12345678');
});

test('details say what was wrong where there is something to say', async () => {
  const { status, body } = await t.api.get(`${posts.path}?limit=none`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_query', details: { parameter: 'limit' } });
});

test('a value of a header that is not known is refused, before anything is done', async () => {
  const format = { headers: { 'X-Response-Format': 'json' } };
  for (const reply of [
    await t.api.get(posts.path, format),
    await t.api.post(posts.path, { n: 99 }, format),
    await t.api.get(posts.path, { headers: { Prefer: 'count=estimated' } }),
    await t.api.get(posts.path, { headers: { Prefer: 'return=minimal' } }),
    await t.api.get(posts.path, { headers: { Prefer: 'respond-async, count=exact' } }),
    await t.api.get('/auth-collections/users', { headers: { Prefer: 'count' } }),
  ])
    expect(reply).toFailWith(400, 'invalid_query');
  expect((await t.api.get(`${posts.path}?n=99`)).body.total).toBe(0);
});
