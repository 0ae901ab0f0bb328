// @postgres newest
import { describe, expect, test } from 'vitest';
import { wireBytes, wireCall } from '../../support/calls/wire.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const failure = { success: false, error: { code: expect.any(String), message: expect.any(String) } };
const specified = [400, 401, 403, 404, 413, 429];

describe('an address that cannot be read is a failure like any other', () => {
  test.each(['/collections/%zz', '/%', '/collections/%ff', '/collections/%c0%af', '/p/%zz/collections'])(
    '%s',
    async (path) => {
      for (const headers of [{}, { 'x-api-key': t.projects[0].apiKey }]) {
        const reply = await wireCall(t.url, { path, headers });
        expect(specified).toContain(reply.status);
        expect(reply.body).toMatchObject(failure);
        expect(reply.headers.get('x-request-id')).not.toBeNull();
        expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      }
    },
  );
});

test('a name too long for anything is a failure like any other', async () => {
  for (const path of [`/collections/${'a'.repeat(300)}`, `/collections/posts/${'a'.repeat(300)}`]) {
    const reply = await t.api.get(path);
    expect(specified).toContain(reply.status);
    expect(reply.body).toMatchObject(failure);
  }
});

const key = () => `X-API-Key: ${t.projects[0].apiKey}`;
const bytes: Record<string, () => string> = {
  'no HTTP at all': () => 'HELLO\r\n\r\n',
  'TLS on a plain port': () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
  'an HTTP version that is not': () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'headers of 40 KB': () => `GET /collections HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`,
  'a header with a NUL': () => 'GET /collections HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n',
  'two lengths': () =>
    `POST /collections HTTP/1.1\r\nHost: x\r\n${key()}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': () =>
    `POST /collections HTTP/1.1\r\nHost: x\r\n${key()}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a broken chunk': () =>
    `POST /collections HTTP/1.1\r\nHost: x\r\n${key()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
};

describe('what is not HTTP is refused, in the form of every other failure, and the connection closed', () => {
  test.each(Object.keys(bytes))('%s', async (name) => {
    const answer = await wireBytes(t.url, bytes[name]!());
    const [head = '', text = ''] = answer.split('\r\n\r\n', 2);
    expect(head).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(JSON.parse(text)).toMatchObject(failure);
    expect((await t.api.get('/collections')).status).toBe(200);
  });
});
