// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { rawCall, rawGet } from '../../support/calls/raw-call.ts';
import { expectSafe } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let posts: NewCollection;
beforeAll(async () => {
  posts = await newCollection(t.api);
});

test.each<[string, string | Buffer]>([
  ['half an escape in the path', '/collections/%ZZ'],
  ['a path part of 300 characters', `/collections/${'a'.repeat(300)}`],
  ['bytes beyond ASCII in the path', Buffer.from('/collections/stra\u00dfe')],
  ['bytes beyond ASCII in the query', Buffer.from('/collections/posts?title=stra\u00dfe')],
  ['a space in the query', '/collections/posts?a b=1'],
  ['a control character in the path', '/collections/\x01'],
  ['dots that climb', '/collections/../../etc/passwd'],
  ['encoded dots', '/collections/%2e%2e%2f%2e%2e'],
  ['a backslash', '/collections\\posts'],
  ['an empty part', '/collections//'],
  ['no slash', 'collections'],
  ['an asterisk', '*'],
  ['a foreign absolute address', 'http://elsewhere.test/collections/nowhere'],
])('D10: an address with %s is answered in the one form of failure', async (_name, target) => {
  const reply = await rawGet(t.url, t.projects[0].apiKey, target);
  expect([400, 404]).toContain(reply.status);
  expectSafe(reply);
});

test.each<[string, (head: string) => string]>([
  ['no HTTP at all', () => 'HELLO\r\n\r\n'],
  ['an unknown method', () => 'BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  ['two lengths', (head) => `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  [
    'a length and chunks',
    (head) => `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a length that is no number', (head) => `${head}Content-Length: two\r\n\r\n{}`],
  ['a header without a name', (head) => `${head}: value\r\n\r\n`],
  ['an expectation', (head) => `${head}Expect: nonsense\r\nContent-Length: 2\r\n\r\n{}`],
  ['headers of 40 KB', (head) => `${head}X-Large: ${'x'.repeat(40_000)}\r\nContent-Length: 2\r\n\r\n{}`],
])(
  'D10: a request with %s is answered in the one form of failure, and does nothing',
  async (_name, request) => {
    const { total } = (await t.api.get(posts.path)).body;
    const head = `POST ${posts.path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${t.projects[0].apiKey}\r\nContent-Type: application/json\r\n`;
    const reply = await rawCall(t.url, request(head));
    expectSafe(reply);
    expect(reply.status).toBe(400);
    expect((await t.api.get(posts.path)).body.total).toBe(total);
  },
);

test('D10: a method that a path does not take is 404 in the one form of failure', async () => {
  const { id } = await newDocument(t.api, posts.path, {});
  for (const [method, path] of [
    ['PUT', '/collections'],
    ['DELETE', '/collections'],
    ['PUT', posts.path],
    ['POST', `${posts.path}/${id}`],
    ['OPTIONS', posts.path],
    ['PATCH', `${posts.path}/batch-delete/x`],
  ] as const) {
    const reply = await t.api.call(method, path, method === 'OPTIONS' ? undefined : {});
    expectSafe(reply);
    expect(reply.status, `${method} ${path}`).toBe(404);
  }
});
