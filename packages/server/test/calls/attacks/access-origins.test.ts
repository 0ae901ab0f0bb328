// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { setOrigins, setTier } from '../../../src/features/control/projects/index.ts';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { Client, type Reply } from '../../support/client.ts';
import { useTestApp } from '../../support/test-app.ts';

const listed = 'https://app.example.com';
const t = useTestApp({ PUBLIC_URL: 'https://api.example.org' });
let page: Client;
beforeAll(async () => {
  await setOrigins(t.control, t.projects[0].ref, [listed, 'http://localhost:5173']);
  page = new Client(`${t.url}/p/${t.projects[0].ref}`);
});

const key = () => ({ 'x-api-key': t.projects[0].apiKey });
const allowed = (reply: Reply) => reply.headers.get('access-control-allow-origin');

function preflight(client: Client, origin: string, method = 'POST'): Promise<Reply> {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type,x-api-key',
  };
  return client.call('OPTIONS', '/collections', undefined, { headers });
}

const unlisted = [
  'null',
  '',
  '*',
  'https://app.example.com.evil.com',
  'https://evil-app.example.com',
  'https://sub.app.example.com',
  'https://appXexample.com',
  'https://app-example.com',
  'https://example.com',
  'http://app.example.com',
  'https://app.example.com:444',
  'https://app.example.com:443',
  'https://app.example.com/',
  'https://app.example.com.',
  'https://APP.example.com',
  'https://app.example.com@evil.com',
  'https://app.example.com, https://evil.com',
  'https://app.example.com evil',
  'https://app.example.comevil',
  'app.example.com',
  'file://',
  'http://localhost:51730',
  'http://127.0.0.1:5173',
  'https://api.example.org.evil.com',
];

describe('M3: an origin that is not listed letter by letter gets no permission', () => {
  test.each(unlisted)('%j', async (origin) => {
    for (const client of [page, t.anonymous]) {
      const reply = await client.get('/collections', { headers: { ...key(), origin } });
      expect(reply).toFailWith(403, 'origin_not_allowed');
      expect(allowed(reply)).toBeNull();
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      expect(reply.headers.get('vary')).toMatch(/\borigin\b/i);
    }
    const asked = await preflight(page, origin);
    expect(asked.status).toBe(403);
    expect(allowed(asked)).toBeNull();
  });
});

test('M3: a call from an unlisted origin changes nothing', async () => {
  const headers = { ...key(), origin: 'https://evil.com' };
  expect((await page.post('/collections', { name: 'planted' }, { headers })).status).toBe(403);
  expect((await page.get('/collections', { headers: key() })).text).not.toContain('planted');
});

test('M3: listed origins and the server’s own pass, without credentials, and vary by origin', async () => {
  const own = [t.url, t.url.replace('127.0.0.1', 'localhost'), 'https://api.example.org'];
  for (const origin of [listed, 'http://localhost:5173', ...own]) {
    for (const reply of [
      await page.get('/collections', { headers: { ...key(), origin } }),
      await t.anonymous.get('/collections', { headers: { ...key(), origin } }),
      await preflight(page, origin),
    ]) {
      expect({ origin, status: reply.status, allowed: allowed(reply) }).toEqual({
        origin,
        status: 200,
        allowed: origin,
      });
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      expect(reply.headers.get('vary')).toMatch(/\borigin\b/i);
    }
  }
});

test('M3: one project’s origins open nothing in another', async () => {
  const headers = { 'x-api-key': t.projects[1].apiKey, origin: listed };
  expect(await t.anonymous.get('/collections', { headers })).toFailWith(403, 'origin_not_allowed');
});

test('a page may read the headers that answers carry', async () => {
  const reply = await page.get('/collections', { headers: { ...key(), origin: listed } });
  const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
  expect(exposed).toEqual(
    expect.arrayContaining(['etag', 'link', 'retry-after', 'x-total-count', 'x-ratelimit-remaining']),
  );
});

test('a preflight that names no project is granted without credentials; the call after it is checked', async () => {
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
    const asked = await preflight(t.anonymous, 'https://anyone.example', method);
    expect({ status: asked.status, allowed: allowed(asked) }).toEqual({
      status: 200,
      allowed: 'https://anyone.example',
    });
    expect(asked.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    expect(asked.headers.get('access-control-allow-headers')).toBe('content-type,x-api-key');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    expect(asked.headers.get('vary')).toMatch(/\borigin\b/i);
  }
  const called = await t.anonymous.get('/collections', {
    headers: { ...key(), origin: 'https://anyone.example' },
  });
  expect(called.status).toBe(403);
});

test('calls that come from no page need no origin; the API description is for every page', async () => {
  expect((await page.get('/collections', { headers: key() })).status).toBe(200);
  const description = await t.anonymous.get('/openapi.json', { headers: { origin: 'https://evil.com' } });
  expect({ status: description.status, allowed: allowed(description) }).toEqual({
    status: 200,
    allowed: '*',
  });
});

const from = (apiKey: string, origin: string) => ({ headers: { 'x-api-key': apiKey, origin } });

test('M3: a listed page can read what is wrong with its call, another page cannot', async () => {
  const { apiKey } = t.projects[0];
  expect(allowed(await t.anonymous.get('/collections/none', from(apiKey, listed)))).toBe(listed);
  expect(allowed(await t.anonymous.get('/nothing', from(apiKey, listed)))).toBe(listed);
  expect(allowed(await t.anonymous.get('/collections/none', from(apiKey, 'https://evil.com')))).toBeNull();
});

test('M3: a listed page can read that it is rate limited, and when to go on', async () => {
  const limited = await inOneWindow(2000, async () => {
    const { ref, apiKey } = await t.createProject();
    await setOrigins(t.control, ref, [listed]);
    await setTier(t.control, ref, 'enterprise', 1);
    await t.anonymous.get('/collections', from(apiKey, listed));
    return t.anonymous.get('/collections', from(apiKey, listed));
  });
  expect(limited.status).toBe(429);
  expect(allowed(limited)).toBe(listed);
  expect(limited.headers.get('vary')).toMatch(/\borigin\b/i);
});
