// @postgres newest
import { describe, expect, test } from 'vitest';
import { setTier } from '../../../src/features/control/projects/index.ts';
import { roomInWindow } from '../../support/calls/rate-window.ts';
import { wireCall } from '../../support/calls/wire.ts';
import type { Reply } from '../../support/client.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp({ ADDRESS_RATE_LIMIT: '50' });

const remaining = (reply: Reply) => Number(reply.headers.get('x-ratelimit-remaining'));
const json = { 'content-type': 'application/json' };

/** Ways to look like somebody else, or like another call. */
const disguises: Record<string, Parameters<typeof wireCall>[1]> = {
  'another X-Forwarded-For': { path: '/collections', headers: { 'x-forwarded-for': '203.0.113.7' } },
  'a list in X-Forwarded-For': {
    path: '/collections',
    headers: { 'x-forwarded-for': '10.0.0.1, 203.0.113.8' },
  },
  'Forwarded and its like': {
    path: '/collections',
    headers: { forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9', 'true-client-ip': '203.0.113.9' },
  },
  'a query': { path: '/collections?x=1' },
  'another query': { path: '/collections?limit=2' },
  'a trailing slash': { path: '/collections/' },
  'another case': { path: '/Collections' },
  'an encoded letter': { path: '/%63ollections' },
  'a double slash': { path: '//collections' },
  'a dot segment': { path: '/./collections' },
  'an address in full': { path: 'http://other.test/collections' },
  'a method override': { method: 'POST', path: '/collections', headers: { 'x-http-method-override': 'GET' } },
  HEAD: { method: 'HEAD', path: '/collections' },
  'a method that is not': { method: 'PROPFIND', path: '/collections' },
  'OPTIONS without a page': { method: 'OPTIONS', path: '/collections' },
  'another Host': { path: '/collections', headers: { host: 'elsewhere.test' } },
  'a request id': { path: '/collections', headers: { 'x-request-id': 'another-request' } },
  'extra fields': { method: 'POST', path: '/collections', headers: json, body: '{"name":"a","extra":1}' },
  'a broken body': { method: 'POST', path: '/collections', headers: json, body: '{' },
  'a batch': {
    method: 'POST',
    path: '/collections/none/batch',
    headers: json,
    body: JSON.stringify({ documents: Array.from({ length: 100 }, () => ({})) }),
  },
};

describe('N1: a call counts into the same bucket however it is dressed', () => {
  test('with the key: the project’s', async () => {
    const { ref, apiKey } = await t.createProject();
    await setTier(t.control, ref, 'standard', null);
    await roomInWindow(5000);
    let left = 100;
    for (const [name, disguise] of Object.entries(disguises)) {
      for (const path of [disguise?.path, `/p/${ref}${disguise?.path}`]) {
        if (path?.startsWith(`/p/${ref}http`)) continue;
        const reply = await wireCall(t.url, {
          ...disguise,
          path: path!,
          headers: { 'x-api-key': apiKey, ...disguise?.headers },
        });
        left -= 1;
        expect({ name, path, left: remaining(reply) }).toEqual({ name, path, left });
      }
    }
  });

  test('without one: the address’s, whatever is called', async () => {
    await roomInWindow(5000);
    const first = await wireCall(t.url, { path: '/collections' });
    expect(first.headers.get('x-ratelimit-limit')).toBe('50');
    let left = remaining(first);
    for (const [name, disguise] of Object.entries(disguises)) {
      const reply = await wireCall(t.url, disguise);
      left -= 1;
      expect({ name, left: remaining(reply) }).toEqual({ name, left });
    }
    const wrongKey = await wireCall(t.url, { path: '/collections', headers: { 'x-api-key': 'plk_x' } });
    expect(remaining(wrongKey)).toBe(left - 1);
    const preflight = await wireCall(t.url, {
      method: 'OPTIONS',
      path: '/collections',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(remaining(preflight)).toBe(left - 2);
  });
});

test('N1: a path that cannot be decoded counts like any other', async () => {
  await roomInWindow(2000);
  const before = remaining(await wireCall(t.url, { path: '/collections' }));
  for (const path of ['/collections/%zz', '/collections/%ff', '/%']) await wireCall(t.url, { path });
  expect(remaining(await wireCall(t.url, { path: '/collections' }))).toBe(before - 4);
});

test('N1: with a trusted proxy the address is the one it saw, not one that the caller wrote', async () => {
  const { url } = await t.node({ TRUST_PROXY: '127.0.0.1' });
  await roomInWindow(2000);
  const from = (chain: string) =>
    wireCall(url, { path: '/collections', headers: { 'x-forwarded-for': chain } });
  expect(remaining(await from('203.0.113.1'))).toBe(49);
  expect(remaining(await from('198.51.100.1, 203.0.113.1'))).toBe(48);
  expect(remaining(await from('127.0.0.1, 203.0.113.1'))).toBe(47);
  expect(remaining(await from('203.0.113.2'))).toBe(49);
  // One household holds a whole /64.
  expect(remaining(await from('2001:db8:1:2::1'))).toBe(49);
  expect(remaining(await from('2001:db8:1:2:ffff::9'))).toBe(48);
  expect(remaining(await from('2001:db8:1:3::1'))).toBe(49);
});
