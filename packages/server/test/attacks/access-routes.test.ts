import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/platform/secrets.ts';
import { liveRoutes } from '../access/live-routes.ts';
import { makeThings, methodOf, pathOf, routeTable, rowOf, type Things } from '../access/route-table.ts';
import { Client, type Reply } from '../support/client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t[Symbol.asyncDispose]());

const madeUp = `plk_${'a'.repeat(43)}`;

interface Attempt {
  readonly headers: () => Record<string, string>;
  /** On the address of the first project, or on the bare one. */
  readonly on: 'project' | 'bare';
  /** Undefined: let in. */
  readonly refused?: 'credential_required' | 'invalid_credentials';
}

const key = (project: 0 | 1) => t.projects[project].apiKey;
const attempts: Record<string, Attempt> = {
  'the key': { on: 'bare', headers: () => ({ 'x-api-key': key(0) }) },
  'the key on its address': { on: 'project', headers: () => ({ 'x-api-key': key(0) }) },
  'the key as a bearer': { on: 'project', headers: () => ({ authorization: `bearer  ${key(0)}` }) },
  'nothing on the bare address': { on: 'bare', headers: () => ({}), refused: 'credential_required' },
  nothing: { on: 'project', headers: () => ({}), refused: 'credential_required' },
  ...refused({
    'another project’s key': () => ({ 'x-api-key': key(1) }),
    'another project’s key as a bearer': () => ({ authorization: `Bearer ${key(1)}` }),
    'a made-up key': () => ({ 'x-api-key': madeUp }),
    'a made-up key as a bearer': () => ({ authorization: `Bearer ${madeUp}` }),
    'an empty key': () => ({ 'x-api-key': '' }),
    'a key cut short': () => ({ 'x-api-key': key(0).slice(0, -1) }),
    'a key in capitals': () => ({ 'x-api-key': key(0).toUpperCase() }),
    'the prefix alone': () => ({ 'x-api-key': 'plk_' }),
    'the key’s stored hash': () => ({ 'x-api-key': `plk_${sha256(key(0)).toString('hex')}` }),
    'both keys in one header': () => ({ 'x-api-key': `${key(1)}, ${key(0)}` }),
    'a key without Bearer': () => ({ authorization: key(0) }),
    'a bearer of nothing': () => ({ authorization: 'Bearer' }),
    'two words after Bearer': () => ({ authorization: `Bearer ${key(0)} ${key(0)}` }),
    'another scheme': () => ({ authorization: `Basic ${btoa(`${key(0)}:`)}` }),
    'a token of no form': () => ({ authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }),
    'the key beside a token of no form': () => ({ 'x-api-key': key(0), authorization: 'Bearer x' }),
    'a made-up key beside the key': () => ({ 'x-api-key': madeUp, authorization: `Bearer ${key(0)}` }),
  }),
};

function refused(headers: Record<string, Attempt['headers']>): Record<string, Attempt> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, make]) => [
      name,
      { on: 'project', headers: make, refused: 'invalid_credentials' },
    ]),
  );
}

async function attemptCall(route: string, things: Things, attempt: Attempt): Promise<Reply> {
  const address = attempt.on === 'bare' ? t.url : `${t.url}/p/${t.projects[0].ref}`;
  const body = rowOf(route)?.body?.(things);
  return new Client(address).call(methodOf(route), pathOf(route, things), body, {
    headers: attempt.headers(),
  });
}

test('A8: the table has a row for every live route, and no other', () => {
  const live = liveRoutes(t.app);
  expect(live.length).toBeGreaterThan(10);
  expect(live.filter((route) => !rowOf(route))).toEqual([]);
  expect(Object.keys(routeTable).filter((route) => !live.includes(route))).toEqual([]);
});

describe('A8: every route lets in the API key and nobody else', () => {
  test.each(Object.keys(attempts))('%s', async (name) => {
    const attempt = attempts[name]!;
    const kept = await makeThings(t.api);
    for (const route of liveRoutes(t.app)) {
      const row = rowOf(route)!;
      const isRefused = row.access === 'server' && attempt.refused !== undefined;
      const reply = await attemptCall(route, isRefused ? kept : await makeThings(t.api), attempt);
      expect({ route, status: reply.status }).toEqual({ route, status: isRefused ? 401 : row.status });
      if (isRefused && !route.startsWith('HEAD')) expect(reply.body.error.code).toBe(attempt.refused);
    }
    const untouched = await t.api.get(`/collections/${kept.collection}/${kept.id}`);
    expect(untouched.body.data.canary).toBe('untouched');
    expect(untouched.headers.get('etag')).toBe('"1"');
  });
});

test('A8: a foreign key is answered exactly as a made-up one', async () => {
  const things = await makeThings(t.api);
  const plain = (reply: Reply) => ({
    status: reply.status,
    text: reply.text.replace(/"requestId":"[^"]+"/, ''),
    headers: [...reply.headers.keys()],
  });
  for (const route of Object.keys(routeTable).filter((name) => rowOf(name)?.access === 'server')) {
    const foreign = await attemptCall(route, things, attempts['another project’s key']!);
    const madeUp = await attemptCall(route, things, attempts['a made-up key']!);
    expect(plain(foreign)).toEqual(plain(madeUp));
  }
});

test('A8: what the other project has is not there, under any route', async () => {
  const [mine, theirs] = t.projects;
  const foreign = await makeThings(theirs.api);
  const own = await makeThings(mine.api);
  const record = (await theirs.api.get('/collections')).text;
  const { id: foreignCollectionId } = (await theirs.api.get(`/collections/${foreign.collection}`)).body
    .collection;
  for (const [route, row] of Object.entries(routeTable).filter(([, { names }]) => names !== undefined)) {
    for (const collection of [foreign.collection, foreignCollectionId]) {
      const things = { collection, id: foreign.id };
      const reply = await mine.api.call(methodOf(route), pathOf(route, things), row.body?.(things));
      expect({ route, status: reply.status }).toEqual({ route, status: 404 });
      expect(reply.body.error.code).toBe('collection_not_found');
    }
    if (row.names === 'collection') continue;
    const things = { collection: own.collection, id: foreign.id };
    const reply = await mine.api.call(methodOf(route), pathOf(route, things), row.body?.(things));
    if (row.names === 'document') expect(reply.body.error.code).toBe('document_not_found');
    else if (route.endsWith('batch-delete')) expect(reply.body.data.missing).toEqual([foreign.id]);
    else expect(reply.body.error.code).toBe('batch_item_not_found');
  }
  expect((await mine.api.get('/collections')).text).not.toContain(foreign.collection);
  expect((await theirs.api.get('/collections')).text).toBe(record);
  const kept = await theirs.api.get(`/collections/${foreign.collection}/${foreign.id}`);
  expect(kept.headers.get('etag')).toBe('"1"');
});

test('an unknown path is said to be one to whoever has no wrong credential', async () => {
  const { ref } = t.projects[0];
  for (const path of [
    '/nothing',
    `/p/${ref}/nothing`,
    '/p/x/collections',
    `/p/${ref.toUpperCase()}/collections`,
  ]) {
    expect((await t.anonymous.get(path)).body.error.code).toBe('route_not_found');
    expect((await t.api.get(path)).body.error.code).toBe('route_not_found');
    const wrong = await t.anonymous.get(path, { headers: { 'x-api-key': madeUp } });
    expect(wrong.body.error.code).toBe('invalid_credentials');
  }
});
