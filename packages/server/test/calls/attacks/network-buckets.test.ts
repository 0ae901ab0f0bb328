// @postgres newest
import { describe, expect, test } from 'vitest';
import { setTier } from '../../../src/features/control/projects/index.ts';
import { inOneWindow } from '../../support/calls/rate-window.ts';
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
    const counted = await inOneWindow(5000, async () => {
      const { ref, apiKey } = await t.createProject();
      await setTier(t.control, ref, 'standard', null);
      const counted: { name: string; path: string; left: number }[] = [];
      for (const [name, disguise] of Object.entries(disguises)) {
        for (const path of [disguise?.path, `/p/${ref}${disguise?.path}`]) {
          if (path?.startsWith(`/p/${ref}http`)) continue;
          const reply = await wireCall(t.url, {
            ...disguise,
            path: path!,
            headers: { 'x-api-key': apiKey, ...disguise?.headers },
          });
          counted.push({ name, path: path!, left: remaining(reply) });
        }
      }
      return counted;
    });
    expect(counted).toEqual(counted.map((call, at) => ({ ...call, left: 99 - at })));
  });

  test('without one: the address’s, whatever is called', async () => {
    const calls: typeof disguises = {
      'no disguise': { path: '/collections' },
      ...disguises,
      'a wrong key': { path: '/collections', headers: { 'x-api-key': 'plk_x' } },
      'a preflight': {
        method: 'OPTIONS',
        path: '/collections',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
      },
    };
    const counted = await inOneWindow(5000, async () => {
      const { url } = await t.node();
      const counted: { name: string; limit: string | null; left: number }[] = [];
      for (const [name, call] of Object.entries(calls)) {
        const reply = await wireCall(url, call);
        counted.push({ name, limit: reply.headers.get('x-ratelimit-limit'), left: remaining(reply) });
      }
      return counted;
    });
    expect(counted).toEqual(Object.keys(calls).map((name, at) => ({ name, limit: '50', left: 49 - at })));
  });
});

test('N1: a path that cannot be decoded counts like any other', async () => {
  const left = await inOneWindow(2000, async () => {
    const { url } = await t.node();
    for (const path of ['/collections/%zz', '/collections/%ff', '/%']) await wireCall(url, { path });
    return remaining(await wireCall(url, { path: '/collections' }));
  });
  expect(left).toBe(50 - 4);
});

test('N1: with a trusted proxy the address is the one it saw, not one that the caller wrote', async () => {
  const expected: [chain: string, left: number][] = [
    ['203.0.113.1', 49],
    ['198.51.100.1, 203.0.113.1', 48],
    ['127.0.0.1, 203.0.113.1', 47],
    ['203.0.113.2', 49],
    // One household holds a whole /64.
    ['2001:db8:1:2::1', 49],
    ['2001:db8:1:2:ffff::9', 48],
    ['2001:db8:1:3::1', 49],
  ];
  const counted = await inOneWindow(2000, async () => {
    const { url } = await t.node({ TRUST_PROXY: '127.0.0.1' });
    const counted: typeof expected = [];
    for (const [chain] of expected) {
      const reply = await wireCall(url, { path: '/collections', headers: { 'x-forwarded-for': chain } });
      counted.push([chain, remaining(reply)]);
    }
    return counted;
  });
  expect(counted).toEqual(expected);
});
