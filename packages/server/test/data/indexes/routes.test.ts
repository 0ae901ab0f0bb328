// @postgres newest
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { Client, type Reply } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { eventually, Stored } from '../../support/data/stored.ts';
import { untilBuilt } from '../../support/indexes/fill.ts';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let stored: Stored;
let twoNodes: readonly [Client, Client];
beforeAll(async () => {
  stored = new Stored(t, t.projects[0]);
  const { url } = await t.node();
  twoNodes = [t.api, new Client(url, { 'x-api-key': t.projects[0].apiKey })];
});

const kinds = ['sort', 'search', 'unique'] as const;
const codeOf = ({ status, body }: Reply) => [status, body.error?.code];

async function listed(path: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await t.api.get(`${path}/indexes`);
  expect(status).toBe(200);
  return body.data;
}

test.each<[string, unknown, RegExp]>([
  ['an unknown kind', { kind: 'fulltext', fields: ['a'] }, /kind/],
  ['what only the service makes', { kind: 'statistics', fields: ['a'] }, /kind/],
  ['no kind', { fields: ['a'] }, /kind/],
  ['no fields', { kind: 'sort' }, /fields/],
  ['an empty list of fields', { kind: 'sort', fields: [] }, /fields/],
  ['five fields', { kind: 'sort', fields: ['a', 'b', 'c', 'd', 'e'] }, /fields/],
  ['a field that is no text', { kind: 'sort', fields: [5] }, /fields/],
  ['an empty field', { kind: 'sort', fields: [''] }, /fields/],
  ['a field of 201 characters', { kind: 'sort', fields: ['x'.repeat(201)] }, /fields/],
  ['fields that are no list', { kind: 'sort', fields: 'a' }, /fields/],
  ['something else beside', { kind: 'sort', fields: ['a'], where: 'true' }, /where/],
])('an index with %s is refused as a body', async (_, body, says) => {
  const { path } = await newCollection(t.api);
  const reply = await t.api.post(`${path}/indexes`, body);
  expect(codeOf(reply)).toEqual([400, 'invalid_body']);
  expect(reply.body.error.message).toMatch(says);
  expect(await listed(path)).toEqual([]);
});

test.each<[string, string, string[], RegExp]>([
  ['a field twice', 'sort', ['a', 'a'], /twice/],
  ['a field twice in two directions', 'sort', ['a', 'b', '-a'], /twice/],
  ['a field twice', 'unique', ['a', 'a'], /twice/],
  ['a direction', 'search', ['-a'], /Only a sort index has directions/],
  ['a direction', 'unique', ['a', '-b'], /Only a sort index has directions/],
  ['two fields', 'search', ['a', 'b'], /A search index can have only one field/],
  ['the id alone', 'sort', ['id'], /already have an index/],
  ['the time of creation alone', 'sort', ['-createdAt'], /already have an index/],
  ['the id before another field', 'sort', ['id', 'a'], /after other fields, it must come last/],
  [
    'the time of creation before another',
    'sort',
    ['createdAt', 'a'],
    /after other fields, it must come last/,
  ],
  ['the id', 'unique', ['id'], /"id" cannot be in a unique index/],
  ['a time', 'unique', ['a', 'updatedAt'], /"updatedAt" cannot be in a unique index/],
  ['a time', 'search', ['createdAt'], /"createdAt" cannot be in a search index/],
  ['a path into the id', 'sort', ['id.x'], /"id.x": There is no such field/],
  ['a path into a time', 'sort', ['a', '-updatedAt.x'], /"-updatedAt.x": There is no such field/],
  ['a path into a time', 'unique', ['createdAt.x'], /"createdAt.x": There is no such field/],
  ['an empty part of a path', 'sort', ['a..b'], /"a..b": A field name is empty/],
  ['only a sign', 'sort', ['-'], /"-": A field name is empty/],
  ['an operator', 'sort', ['$inc'], /cannot start with "\$"/],
  ['a name no document has', 'unique', ['__proto__'], /No document can have a field of that name/],
  ['a name no document has inside', 'search', ['a.constructor'], /No document can have a field of that name/],
  ['33 parts', 'sort', [Array.from({ length: 33 }, () => 'a').join('.')], /at most 32 parts/],
])('an index with %s (%s) is refused', async (_, kind, fields, says) => {
  const { path } = await newCollection(t.api);
  const reply = await t.api.post(`${path}/indexes`, { kind, fields });
  expect(codeOf(reply)).toEqual([400, 'invalid_index']);
  expect(reply.body.error.message).toMatch(says);
  expect(await listed(path)).toEqual([]);
});

test('an index that is asked for twice is refused the second time, however it is written', async () => {
  const { path } = await newCollection(t.api);
  for (const kind of kinds) {
    expect((await t.api.post(`${path}/indexes`, { kind, fields: ['a'] })).status).toBe(201);
    const again = await t.api.post(`${path}/indexes`, { kind, fields: ['a'] });
    expect(codeOf(again)).toEqual([400, 'index_exists']);
    expect(again.body.error.message).toBe(
      `There is already a ${kind} index on a. List all indexes: GET …/indexes.`,
    );
  }
  for (const fields of [['-a'], ['a', 'b'], ['b', 'a'], ['a', '-b'], ['a,b'], ['a\\.b'], ['a.b'], ['A']])
    expect((await t.api.post(`${path}/indexes`, { kind: 'sort', fields })).status, String(fields)).toBe(201);
  expect(await listed(path)).toHaveLength(11);
});

test('what was asked for is shown as it is, by the name and by the id of the collection', async () => {
  const { path, id } = await newCollection(t.api);
  const fields = ['address.city', '-weird\\.name', 'updatedAt', '-createdAt'];
  const { status, body } = await t.api.post(`${path}/indexes`, { kind: 'sort', fields });
  expect(status).toBe(201);
  expect(body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'sort',
    fields,
    state: expect.stringMatching(/^(ready|building)$/),
    progress: null,
    failure: null,
    automatic: false,
    reason: null,
    note: process.env.PLINTH_TEST_TABLES ? null : expect.stringContaining('10,000 documents (now 0)'),
    bytes: null,
    scans: null,
    usedAt: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    readyAt: null,
  });
  await untilBuilt(t.api, path.slice('/collections/'.length));
  const [first, second] = [await listed(path), await listed(`/collections/${id}`)];
  expect(first).toEqual(second);
  expect(first).toMatchObject([{ id: body.data.id, fields, state: 'ready' }]);
});

test('a collection has at most 20 requested indexes that were asked for; one that is dropped makes room at once', async () => {
  const { path } = await newCollection(t.api);
  const ask = (n: number) => t.api.post(`${path}/indexes`, { kind: kinds[n % 3], fields: [`f${n}`] });
  for (let n = 0; n < 20; n += 1) expect((await ask(n)).status).toBe(201);
  const refused = await ask(20);
  expect(codeOf(refused)).toEqual([400, 'too_many_indexes']);
  expect(refused.body.error.message).toMatch(/at most 20 requested indexes/);
  // What is there already is said to be there.
  expect(codeOf(await ask(7))).toEqual([400, 'index_exists']);
  const [{ id }] = (await listed(path)) as [{ id: string }];
  expect((await t.api.delete(`${path}/indexes/${id}`)).status).toBe(200);
  expect((await ask(20)).status).toBe(201);
  expect(codeOf(await ask(21))).toEqual([400, 'too_many_indexes']);
  expect(await listed(path)).toHaveLength(20);
});

test('however many ask at once, there are 20 at most', async () => {
  const { path } = await newCollection(t.api);
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      twoNodes[n % 2]!.post(`${path}/indexes`, { kind: 'sort', fields: [`f${n}`] }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(replies.filter((reply) => codeOf(reply)[1] === 'too_many_indexes')).toHaveLength(10);
  expect(await listed(path)).toHaveLength(20);
});

test('an index that is not there cannot be dropped', async () => {
  const { path } = await newCollection(t.api);
  const other = await newCollection(t.api);
  const { body } = await t.api.post(`${path}/indexes`, { kind: 'sort', fields: ['a'] });
  const ids = [randomUUID(), 'x', 'advice', "'; --", '%00', 'a'.repeat(1000), body.data.id.toUpperCase()];
  for (const id of ids.map(encodeURIComponent)) {
    const reply = await t.api.delete(`${path}/indexes/${id}`);
    expect(reply.status, id).toBe(404);
    expect(reply).toFailWith(404, 'index_not_found');
    expect(reply.text.length).toBeLessThan(600);
  }
  expect(codeOf(await t.api.delete(`${other.path}/indexes/${body.data.id}`))).toEqual([
    404,
    'index_not_found',
  ]);
  const stranger = await t.projects[1].api.delete(`${path}/indexes/${body.data.id}`);
  expect(codeOf(stranger)).toEqual([404, 'collection_not_found']);
  const dropped = await t.api.delete(`${path}/indexes/${body.data.id}`);
  expect(dropped.body.data).toEqual({ id: body.data.id, deleted: true });
  expect(codeOf(await t.api.delete(`${path}/indexes/${body.data.id}`))).toEqual([404, 'index_not_found']);
});

test('indexes of a collection that is not there are not found', async () => {
  const theirs = await newCollection(t.projects[1].api);
  for (const path of ['/collections/nowhere', theirs.path, `/collections/${randomUUID()}`]) {
    for (const reply of [
      await t.api.get(`${path}/indexes`),
      await t.api.get(`${path}/indexes/advice`),
      await t.api.post(`${path}/indexes`, { kind: 'sort', fields: ['a'] }),
      await t.api.delete(`${path}/indexes/${randomUUID()}`),
    ])
      expect(codeOf(reply)).toEqual([404, 'collection_not_found']);
  }
});

test('A8: only the API key reads, asks for and drops indexes', async () => {
  const { path } = await newCollection(t.api);
  const open = Object.fromEntries(['read', 'create', 'update', 'delete'].map((action) => [action, 'public']));
  expect((await t.api.patch(path, { settings: { rules: open } })).status).toBe(200);
  const { body } = await t.api.post(`${path}/indexes`, { kind: 'sort', fields: ['a'] });
  const { me } = await newPerson(t);
  const before = await listed(path);
  for (const [client, status] of [
    [me, 403],
    [new Client(`${t.url}/p/${t.projects[0].ref}`), 401],
    [t.anonymous, 401],
    [new Client(t.url, { 'x-api-key': 'pk_wrong' }), 401],
  ] as const) {
    for (const reply of [
      await client.get(`${path}/indexes`),
      await client.get(`${path}/indexes/advice`),
      await client.post(`${path}/indexes`, { kind: 'sort', fields: ['b'] }),
      await client.post(`${path}/indexes`, { kind: 'nonsense' }),
      await client.delete(`${path}/indexes/${body.data.id}`),
    ])
      expect(reply.status, reply.text).toBe(status);
  }
  expect(await listed(path)).toEqual(before);
});

test.each(kinds)('the same %s index asked for on two nodes at once is made once', async (kind) => {
  const { path, name } = await newCollection(t.api);
  const body = { kind, fields: ['a'] };
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => twoNodes[n % 2]!.post(`${path}/indexes`, body)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter((reply) => codeOf(reply)[1] === 'index_exists')).toHaveLength(5);
  expect(await untilBuilt(t.api, name)).toMatchObject([{ kind, fields: ['a'], state: 'ready' }]);
});

test('with an Idempotency-Key an index is asked for once, and the answer is the same', async () => {
  const { path, name } = await newCollection(t.api);
  const headers = { 'idempotency-key': randomUUID() };
  const body = { kind: 'unique', fields: ['email'] };
  const replies = await Promise.all(twoNodes.map((node) => node.post(`${path}/indexes`, body, { headers })));
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  expect(replies[0]!.body.data).toEqual(replies[1]!.body.data);
  await untilBuilt(t.api, name);
  const later = await t.api.post(`${path}/indexes`, body, { headers });
  expect(later.body.data).toEqual(replies[0]!.body.data);
  expect(later.headers.get('idempotency-replayed')).toBe('true');
  const other = await t.api.post(`${path}/indexes`, { ...body, fields: ['x'] }, { headers });
  expect(other.status).toBe(400);
  const refused = { 'idempotency-key': randomUUID() };
  expect(codeOf(await t.api.post(`${path}/indexes`, body, { headers: refused }))).toEqual([
    400,
    'index_exists',
  ]);
  expect(await listed(path)).toHaveLength(1);
  // The constraint holds, and was built by a job of the same transaction.
  expect((await t.api.post(path, { email: 'x' })).status).toBe(201);
  expect(codeOf(await t.api.post(path, { email: 'x' }))).toEqual([400, 'duplicate_value']);
});

test('an index of a small collection is ready at once, and leaves nothing when it is dropped', async () => {
  const { path, name } = await newCollection(t.api);
  const { number } = await stored.collection(name);
  for (const kind of kinds) await t.api.post(`${path}/indexes`, { kind, fields: ['a'] });
  await t.api.post(path, { a: 1 });
  for (const { id } of await untilBuilt(t.api, name)) await t.api.delete(`${path}/indexes/${id}`);
  expect(await listed(path)).toEqual([]);
  for (const table of ['indexes', 'unique_values']) {
    await eventually(`nothing is left in ${table}`, async () => {
      const rows = await stored.query(`SELECT FROM cell.${table} WHERE project_id = $1 AND collection = $2`, [
        number,
      ]);
      return rows.length === 0;
    });
  }
  expect((await t.api.post(path, { a: 1 })).status).toBe(201);
});
