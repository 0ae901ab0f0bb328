// @postgres newest
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { file, sendForm, upload } from '../../support/files/forms.ts';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import { Description } from './description.ts';

const t = useTestApp();
let description: Description;
beforeAll(async () => {
  description = await Description.read(t.anonymous);
});

const list = 'GET /collections/:collection';
const create = 'POST /collections/:collection';
const one = 'GET /collections/:collection/:id';
const change = 'PATCH /collections/:collection/:id';
const download = 'GET /files/:ref/:file';

/** Sees that the answer is described, and has what the call is about. */
function expectDescribed(
  route: string,
  reply: Reply,
  expected: { status: number; headers?: string[] },
): void {
  expect({ route, status: reply.status }, reply.text).toEqual({ route, status: expected.status });
  expect(expected.headers?.filter((name) => !reply.headers.has(name)) ?? []).toEqual([]);
  const isBare = reply.headers.has('x-total-count');
  expect({ route, problems: description.problemsOf(route, reply, isBare) }).toEqual({ route, problems: [] });
}

test('documents: versions, forms, repeated calls, pages', async () => {
  const { path } = await newCollection(t.api);
  for (const n of [1, 2, 3]) await newDocument(t.api, path, { n });
  const { id } = await newDocument(t.api, path, { n: 4 });
  expectDescribed(one, await t.api.get(`${path}/${id}`), { status: 200, headers: ['etag'] });
  const stale = { headers: { 'if-match': '"99"' } };
  expectDescribed(change, await t.api.patch(`${path}/${id}`, { n: 5 }, stale), { status: 400 });
  expectDescribed(change, await t.api.patch(`${path}/${id}`, { 'a.b': 5 }), { status: 200 });
  const once = { headers: { 'idempotency-key': 'described' } };
  expectDescribed(create, await t.api.post(path, { n: 6 }, once), { status: 201 });
  const again = await t.api.post(path, { n: 6 }, once);
  expectDescribed(create, again, { status: 201, headers: ['idempotency-replayed'] });
  const parts = [['data', '{"n": 7}'] as const, ['cover', file('a.txt', 'a')] as const];
  expectDescribed(create, await sendForm(t.api, 'POST', path, parts), { status: 201 });
  expectDescribed(create, await t.api.post(path, { n: 'x'.repeat(1_100_000) }), { status: 413 });
  expectDescribed(list, await t.api.get(`${path}?limit=2&nothing=1`), { status: 200 });
  const bare = { headers: { 'x-response-format': 'bare' } };
  const page = await t.api.get(`${path}?limit=2`, bare);
  expectDescribed(list, page, { status: 200, headers: ['x-total-count', 'link'] });
  expectDescribed(list, await t.api.get(`${path}?limit=0`), { status: 400 });
  expectDescribed(list, await t.api.get('/collections/nothing'), { status: 404 });
});

test('a total that is a floor', async () => {
  const { path } = await newCollection(t.api);
  const documents = Array.from({ length: 150 }, (_, n) => ({ text: `word ${n}` }));
  await t.api.post(`${path}/batch`, { documents });
  const floor = await t.api.get(`${path}?text__contains=word`);
  expect(floor.body.totalIsFloor).toBe(true);
  expectDescribed(list, floor, { status: 200 });
  const headers = { 'x-response-format': 'bare' };
  const bare = await t.api.get(`${path}?text__contains=word`, { headers });
  expectDescribed(list, bare, { status: 200, headers: ['x-total-floor'] });
});

test('files: ranges, images, what is not changed', async () => {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const stored = await upload(t.api, 'red.png', picture, { path: 'photos/' });
  expectDescribed('POST /storage/upload', stored, { status: 201 });
  expectDescribed('GET /storage/list', await t.api.get('/storage/list'), { status: 200 });
  const path = new URL(stored.body.data.url).pathname;
  const get = (query = '', headers: Record<string, string> = {}) =>
    t.anonymous.get(`${path}${query}`, { headers });
  expectDescribed(download, await get(), { status: 200, headers: ['etag', 'last-modified'] });
  expectDescribed(download, await get('?w=20&format=webp'), { status: 200 });
  expectDescribed(download, await get('?fit=cover'), { status: 400 });
  expectDescribed(download, await get('', { range: 'bytes=0-3' }), {
    status: 206,
    headers: ['content-range'],
  });
  expectDescribed(download, await get('', { range: 'bytes=9999999-' }), {
    status: 416,
    headers: ['content-range'],
  });
  const etag = (await get()).headers.get('etag')!;
  expectDescribed(download, await get('', { 'if-none-match': etag }), { status: 304 });
  const text = await upload(t.api, 'a.txt', 'a', { private: 'true' });
  const signed = await t.api.post(`/storage/file/${text.body.data.id}/signed-url`, {});
  const { pathname, search } = new URL(signed.body.data.url);
  expectDescribed(download, await t.anonymous.get(`${pathname}${search}`), {
    status: 200,
    headers: ['content-security-policy'],
  });
});

test('uploads in several calls', async () => {
  const started = await t.api.post('/storage/direct-uploads', { name: 'a.txt', size: 3 });
  expectDescribed('POST /storage/direct-uploads', started, { status: 201 });
  const { pathname, search } = new URL(started.body.data.uploadUrl);
  const put = await t.anonymous.call('PUT', `${pathname}${search}`, undefined, { raw: 'abc' });
  expectDescribed('PUT /files/:ref/incoming/:id', put, { status: 200 });
  const confirmed = await t.api.post(`/storage/direct-uploads/${started.body.data.id}/confirm`);
  expectDescribed('POST /storage/direct-uploads/:id/confirm', confirmed, { status: 201 });

  const tus = { 'tus-resumable': '1.0.0' };
  const metadata = `filename ${Buffer.from('b.txt').toString('base64')}`;
  const begun = await t.api.call('POST', '/storage/resumable', undefined, {
    headers: { ...tus, 'upload-length': '6', 'upload-metadata': metadata },
  });
  expectDescribed('POST /storage/resumable', begun, { status: 201, headers: ['location', 'upload-expires'] });
  const path = begun.headers.get('location')!;
  const send = (offset: string, raw: string) =>
    t.api.call('PATCH', path, undefined, {
      raw,
      headers: { ...tus, 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' },
    });
  const each = '/storage/resumable/:id';
  expectDescribed(`PATCH ${each}`, await send('0', 'abc'), { status: 204, headers: ['upload-offset'] });
  expectDescribed(`PATCH ${each}`, await send('1', 'abc'), { status: 409 });
  const head = await t.api.call('HEAD', path, undefined, { headers: tus });
  expectDescribed(`HEAD ${each}`, head, { status: 200, headers: ['upload-offset', 'upload-length'] });
  expectDescribed(`PATCH ${each}`, await send('3', 'def'), { status: 204, headers: ['plinth-file-id'] });
});

test('sign-ins, profiles, and too many tries', async () => {
  const person = await newPerson(t, { data: { name: 'Ada' } });
  const { me, email, password, id } = person;
  const form = [['data', '{"city": "Lagos"}'] as const, ['avatar', file('a.txt', 'a')] as const];
  const changed = await sendForm(me, 'PATCH', '/auth-collections/user', form);
  expectDescribed('PATCH /auth-collections/user', changed, { status: 200 });
  const repeated = { headers: { 'idempotency-key': 'sign in' } };
  for (const headers of [[], ['idempotency-replayed']]) {
    const door = `/p/${t.projects[0].ref}/auth-collections/login`;
    const signedIn = await t.anonymous.post(door, { email, password }, repeated);
    expectDescribed('POST /auth-collections/login', signedIn, { status: 200, headers });
  }
  for (const client of [me, t.api])
    expectDescribed('GET /auth-collections/users/:id', await client.get(`/auth-collections/users/${id}`), {
      status: 200,
    });
  const { url } = await t.node({ ADDRESS_RATE_LIMIT: '1' });
  const calls = await Promise.all([1, 2, 3].map(() => fetch(`${url}/collections`)));
  const refused = calls.find(({ status }) => status === 429)!;
  const text = await refused.text();
  const reply = { status: 429, headers: refused.headers, text, body: JSON.parse(text) };
  expectDescribed('GET /collections', reply, { status: 429, headers: ['retry-after'] });
});

test('a stream of events', async () => {
  const { name } = await newCollection(t.api);
  const ending = new AbortController();
  const response = await fetch(`${t.url}/realtime/sse/${name}`, {
    headers: { 'x-api-key': t.projects[0].apiKey },
    signal: ending.signal,
  });
  const { headers, status } = response;
  expectDescribed(
    'GET /realtime/sse/:collection',
    { status, headers, text: '(still open)', body: undefined },
    {
      status: 200,
      headers: ['x-accel-buffering'],
    },
  );
  ending.abort();
});
