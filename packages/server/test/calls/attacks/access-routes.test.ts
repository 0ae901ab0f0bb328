// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/platform/crypto/secrets.ts';
import { liveRoutes } from '../../support/calls/live-routes.ts';
import { Client, type Reply } from '../../support/client.ts';
import { sendForm, upload } from '../../support/files/forms.ts';
import { newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import {
  makeThings,
  makeThingsFor,
  methodOf,
  pathOf,
  routeTable,
  rowOf,
  type Things,
} from '../route-table.ts';

const t = useTestApp();
let someone: Person;
let somebodyElse: Person;
let foreigner: Person;
let ended: Person;
beforeAll(async () => {
  [someone, somebodyElse, foreigner, ended] = await Promise.all([
    newPerson(t),
    newPerson(t),
    newPerson(t, { project: 1 }),
    newPerson(t),
  ]);
  await ended.me.post('/auth-collections/logout');
});

const madeUp = `plk_${'a'.repeat(43)}`;

/** Who makes a call, as far as a route is concerned. */
type Who = 'server' | 'user' | 'server and user' | 'anonymous' | 'nobody';

interface Attempt {
  readonly headers: (things: Things) => Record<string, string>;
  /** On the address of the first project, or on the bare one. */
  readonly on: 'project' | 'bare';
  /** `nobody`: the credential is wrong. */
  readonly as: Who;
}

const key = (project: 0 | 1) => t.projects[project].apiKey;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tokenOf = ({ person }: Things) => person?.token ?? someone.token;
const attempts: Record<string, Attempt> = {
  'the key': { on: 'bare', as: 'server', headers: () => ({ 'x-api-key': key(0) }) },
  'the key on its address': { on: 'project', as: 'server', headers: () => ({ 'x-api-key': key(0) }) },
  'the key as a bearer': {
    on: 'project',
    as: 'server',
    headers: () => ({ authorization: `bearer  ${key(0)}` }),
  },
  'an app user': { on: 'project', as: 'user', headers: (things) => bearer(tokenOf(things)) },
  'an app user on the bare address': { on: 'bare', as: 'user', headers: (things) => bearer(tokenOf(things)) },
  'another user': { on: 'project', as: 'user', headers: () => bearer(somebodyElse.token) },
  'the key and an app user': {
    on: 'project',
    as: 'server and user',
    headers: (things) => ({ 'x-api-key': key(0), ...bearer(tokenOf(things)) }),
  },
  anonymous: { on: 'project', as: 'anonymous', headers: () => ({}) },
  'anonymous on the bare address': { on: 'bare', as: 'anonymous', headers: () => ({}) },
  ...refused({
    'another project’s key': () => ({ 'x-api-key': key(1) }),
    'another project’s key as a bearer': () => ({ authorization: `Bearer ${key(1)}` }),
    'another project’s token': () => bearer(foreigner.token),
    'the key beside another project’s token': () => ({ 'x-api-key': key(0), ...bearer(foreigner.token) }),
    'a token that has ended': () => bearer(ended.token),
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
    Object.entries(headers).map(([name, make]) => [name, { on: 'project', headers: make, as: 'nobody' }]),
  );
}

/** What a route answers to somebody: a status, and the code where it is a refusal at the gate. */
function expected(route: string, { as, on }: Attempt): { status: number; code?: string } {
  const row = rowOf(route)!;
  if (row.access === 'open') return { status: row.status };
  switch (as) {
    case 'nobody':
      return { status: 401, code: 'invalid_credentials' };
    case 'server and user':
      return { status: row.status };
    case 'server':
      return row.access === 'user' ? { status: 403, code: 'user_required' } : { status: row.status };
    case 'anonymous':
      if (row.access === 'server' || row.access === 'user' || row.access === 'credential')
        return { status: 401, code: 'credential_required' };
      if (on === 'bare') return { status: 401, code: 'project_unknown' };
      return row.access === 'documents'
        ? { status: 401, code: 'credential_required' }
        : { status: row.status };
    case 'user':
      if (row.access === 'server') return { status: 403, code: 'api_key_required' };
      return { status: row.toUsers ?? row.status };
  }
}

async function attemptCall(route: string, things: Things, attempt: Attempt): Promise<Reply> {
  const address = attempt.on === 'bare' ? t.url : `${t.url}/p/${t.projects[0].ref}`;
  const row = rowOf(route);
  // As a browser says it: programs do not get the page at the base address.
  const client = new Client(address, { accept: 'text/html, */*', ...attempt.headers(things) });
  if (row?.upload) return sendForm(client, 'POST', pathOf(route, things), [['file', row.upload]]);
  return client.call(methodOf(route), pathOf(route, things), row?.body?.(things));
}

test('A8: the table has a row for every live route, and no other', () => {
  const live = liveRoutes(t.app);
  expect(live.length).toBeGreaterThan(10);
  expect(live.filter((route) => !rowOf(route))).toEqual([]);
  expect(Object.keys(routeTable).filter((route) => !live.includes(route))).toEqual([]);
});

describe('A8: every route answers each kind of caller as its row says', () => {
  test.each(Object.keys(attempts))('%s', async (name) => {
    const attempt = attempts[name]!;
    const { body } = await upload(t.api, 'kept.txt', 'untouched');
    const kept = { ...(await makeThings(t.api)), person: someone, file: body.data };
    for (const route of liveRoutes(t.app)) {
      const wanted = expected(route, attempt);
      const isSpent = wanted.status < 300 && attempt !== attempts['another user'];
      const reply = await attemptCall(route, isSpent ? await makeThingsFor(t, route) : kept, attempt);
      expect({ route, status: reply.status }).toEqual({ route, status: wanted.status });
      if (rowOf(route)!.isPage) expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      else if (wanted.code && !route.startsWith('HEAD')) expect(reply.body.error.code).toBe(wanted.code);
      if (attempt === attempts['another user']) somebodyElse = await newPerson(t);
    }
    expect(await (await fetch(kept.file.url)).text()).toBe('untouched');
    const untouched = await t.api.get(`/collections/${kept.collection}/${kept.id}`);
    expect(untouched.body.data.canary).toBe('untouched');
    expect(untouched.headers.get('etag')).toBe('"1"');
    expect((await t.api.get(`/auth-collections/users/${someone.id}`)).body.data.role).toBe('user');
  });
});

test('A8: a foreign key is answered exactly as a made-up one', async () => {
  const things = await makeThings(t.api);
  const plain = (reply: Reply) => ({
    status: reply.status,
    text: reply.text.replace(/"requestId":"[^"]+"/, ''),
    headers: [...reply.headers.keys()],
  });
  for (const route of Object.keys(routeTable).filter((name) =>
    /^(server|documents)$/.test(rowOf(name)!.access),
  )) {
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
  for (const [route, row] of Object.entries(routeTable).filter(
    ([, { names }]) => names !== undefined && names !== 'user' && names !== 'file',
  )) {
    for (const collection of [foreign.collection, foreignCollectionId]) {
      const things = { collection, id: foreign.id };
      const reply = await mine.api.call(methodOf(route), pathOf(route, things), row.body?.(things));
      expect({ route, status: reply.status }).toEqual({ route, status: 404 });
      expect(reply).toFailWith(404, 'collection_not_found');
    }
    if (row.names === 'collection') continue;
    const things = { collection: own.collection, id: foreign.id };
    const reply = await mine.api.call(methodOf(route), pathOf(route, things), row.body?.(things));
    if (row.names === 'document') expect(reply).toFailWith(404, 'document_not_found');
    else if (route.endsWith('batch-delete')) expect(reply.body.data.missing).toEqual([foreign.id]);
    else expect(reply).toFailWith(400, 'batch_item_not_found');
  }
  expect((await mine.api.get('/collections')).text).not.toContain(foreign.collection);
  expect((await theirs.api.get('/collections')).text).toBe(record);
  const kept = await theirs.api.get(`/collections/${foreign.collection}/${foreign.id}`);
  expect(kept.headers.get('etag')).toBe('"1"');
});

test('A8: a user of the other project is not there, under any route', async () => {
  const foreignUser = { collection: 'none', id: 'none', person: foreigner };
  const about = Object.entries(routeTable).filter(
    ([route, { names }]) => names === 'user' && route.endsWith(':id'),
  );
  expect(about).toHaveLength(3);
  for (const [route, row] of about) {
    const reply = await t.api.call(methodOf(route), pathOf(route, foreignUser), row.body?.(foreignUser));
    expect({ route, code: reply.body.error.code }).toEqual({ route, code: 'user_not_found' });
  }
  expect((await foreigner.me.get('/auth-collections/user')).status).toBe(200);
});

test('A8, U5: a file of the other project is not there, under any route', async () => {
  const { body } = await upload(t.projects[1].api, 'theirs.txt', 'untouched');
  const things = { collection: 'none', id: 'none', file: body.data };
  const about = Object.entries(routeTable).filter(([route]) => route.includes('/storage/file/:id'));
  expect(about).toHaveLength(3);
  for (const [route, row] of about) {
    const reply = await t.api.call(methodOf(route), pathOf(route, things), row.body?.(things));
    expect({ route, code: reply.body.error.code }).toEqual({ route, code: 'file_not_found' });
  }
  expect(await (await fetch(body.data.url)).text()).toBe('untouched');
  const elsewhere = body.data.url.replace(t.projects[1].ref, t.projects[0].ref);
  expect((await fetch(elsewhere)).status).toBe(404);
});

test('an unknown path is reported as such, unless the credential is wrong', async () => {
  const { ref } = t.projects[0];
  for (const path of [
    '/nothing',
    `/p/${ref}/nothing`,
    '/p/x/collections',
    `/p/${ref.toUpperCase()}/collections`,
  ]) {
    expect(await t.anonymous.get(path)).toFailWith(404, 'route_not_found');
    expect(await t.api.get(path)).toFailWith(404, 'route_not_found');
    const wrong = await t.anonymous.get(path, { headers: { 'x-api-key': madeUp } });
    expect(wrong).toFailWith(401, 'invalid_credentials');
  }
});
