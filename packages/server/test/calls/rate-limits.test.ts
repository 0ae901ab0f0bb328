// @postgres newest
import { expect, test } from 'vitest';
import { setTier } from '../../src/features/control/projects/index.ts';
import { newApiKey } from '../../src/platform/crypto/secrets.ts';
import { inOneWindow } from '../support/calls/rate-window.ts';
import { untilAnswer } from '../support/calls/until-answer.ts';
import { Client, type Reply } from '../support/client.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const header = (reply: Reply, name: string) => Number(reply.headers.get(name) ?? Number.NaN);

/** As many calls, several at a time, in the order they were answered. */
async function callMany(client: Client, calls: number, path = '/collections'): Promise<Reply[]> {
  const replies: Reply[] = [];
  let sent = 0;
  const caller = async () => {
    while (sent < calls) {
      sent += 1;
      replies.push(await client.get(path));
    }
  };
  await Promise.all(Array.from({ length: 10 }, caller));
  return replies;
}

const passed = (replies: Reply[]) => replies.filter(({ status }) => status === 200).length;

test.each([
  ['free', 60, null],
  ['standard', 100, null],
  ['pro', 1000, null],
  ['enterprise', 30, 30],
  ['free', 70, 70],
] as const)('%s: %i calls a minute', async (tier, limit, agreed) => {
  const replies = await inOneWindow(limit > 500 ? 15_000 : 5000, async () => {
    const { ref, api } = await t.createProject();
    await setTier(t.control, ref, tier, agreed);
    return callMany(api, limit + 20);
  });
  expect(passed(replies)).toBe(limit);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
    new Set(['429 rate_limited']),
  );
  expect(replies.map((reply) => header(reply, 'x-ratelimit-limit'))).toEqual(replies.map(() => limit));
  const left = replies.map((reply) => header(reply, 'x-ratelimit-remaining')).toSorted((a, b) => b - a);
  expect(left).toEqual(Array.from({ length: limit + 20 }, (_, at) => Math.max(0, limit - 1 - at)));
  for (const reply of refused) {
    const resetMs = header(reply, 'x-ratelimit-reset') * 1000;
    expect(resetMs % 60_000).toBe(0);
    expect(resetMs - Date.now()).toBeLessThanOrEqual(60_000);
    const retryAfterS = header(reply, 'retry-after');
    expect(retryAfterS).toBeGreaterThanOrEqual(1);
    expect(retryAfterS).toBeLessThanOrEqual(60);
  }
});

test('the default tier is practically without a limit', async () => {
  const reply = await t.api.get('/collections');
  expect(header(reply, 'x-ratelimit-limit')).toBe(1_000_000);
});

test('the three headers are on every answer, whatever its status', async () => {
  await t.api.post('/collections', { name: 'posts' });
  const origin = { headers: { origin: 'https://evil.example' } };
  const large = { raw: JSON.stringify({ text: 'x'.repeat(1_100_000) }) };
  const replies = {
    200: await t.api.get('/collections'),
    201: await t.api.post('/collections/posts', {}),
    400: await t.api.post('/collections', undefined, { raw: '{' }),
    401: await t.anonymous.get('/collections'),
    403: await t.api.get('/collections', origin),
    404: await t.api.get('/nothing'),
    413: await t.api.post('/collections/posts', undefined, large),
  };
  for (const [status, reply] of Object.entries(replies)) {
    expect(reply.status).toBe(Number(status));
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(reply.headers.get(`x-ratelimit-${name}`), `${name} on ${status}`).toMatch(/^\d+$/);
    }
  }
});

test('one project’s calls do not count for another', async () => {
  const replies = await inOneWindow(5000, async () => {
    const [busy, quiet] = [await t.createProject(), await t.createProject()];
    for (const { ref } of [busy, quiet]) await setTier(t.control, ref, 'enterprise', 20);
    return { busy: await callMany(busy.api, 60), quiet: await callMany(quiet.api, 20) };
  });
  expect(passed(replies.busy)).toBe(20);
  expect(passed(replies.quiet)).toBe(20);
});

test('calls without a valid credential count per address, never against the project', async () => {
  const { replies, owner } = await inOneWindow(10_000, async () => {
    // Another node: without Redis each counts for itself.
    const { url } = await t.node({ ADDRESS_RATE_LIMIT: '25' });
    const { ref, apiKey } = await t.createProject();
    await setTier(t.control, ref, 'enterprise', 10);
    const strangers = [
      new Client(`${url}/p/${ref}`),
      new Client(`${url}/p/${ref}`, { 'x-api-key': newApiKey() }),
      new Client(`${url}/p/${ref}`, { 'x-api-key': t.projects[1].apiKey }),
      new Client(url, { authorization: 'Basic x' }),
      new Client(url),
    ];
    const replies = (await Promise.all(strangers.map((client) => callMany(client, 10)))).flat();
    const owner = await callMany(new Client(`${url}/p/${ref}`, { 'x-api-key': apiKey }), 10);
    return { replies, owner };
  });
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(25);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(25);
  expect(new Set(replies.map((reply) => header(reply, 'x-ratelimit-limit')))).toEqual(new Set([25]));
  // Who holds the key is not kept out by strangers at the same address.
  expect(passed(owner)).toBe(10);
});

test('a tier that changes counts from the next call on', async () => {
  const { ref, api } = await t.createProject();
  expect(header(await api.get('/collections'), 'x-ratelimit-limit')).toBe(1_000_000);
  await setTier(t.control, ref, 'pro', null);
  await untilAnswer(
    () => api.get('/collections'),
    (reply) => header(reply, 'x-ratelimit-limit') === 1000,
  );
});
