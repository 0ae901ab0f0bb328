import { beforeAll, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { statementsOf } from '../../support/data/count-statements.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { Stage } from '../../support/data/stage.ts';
import { file, sendForm } from '../../support/files/forms.ts';
import { addUnique, expectDuplicate, uniqueCollection } from '../../support/indexes/unique-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: Client;
beforeAll(async () => {
  api = t.api;
});

const total = async (path: string): Promise<number> => (await api.get(`${path}?limit=1`)).body.total;

test('a second document with the same value of a unique field is refused, and nothing of it is kept', async () => {
  const { path } = await uniqueCollection(api, ['email']);
  const first = await newDocument(api, path, { email: 'ada@example.com', n: 1 });
  const reply = await api.post(path, { email: 'ada@example.com', n: 2 });
  expectDuplicate(reply, ['email']);
  expect(reply.body.error.message).toBe(
    'Another document in the collection has the same value in "email", which must be unique. Use a different value. Nothing was changed.',
  );
  expect(reply.text).not.toContain(first.id);
  expect(await total(path)).toBe(1);
  await newDocument(api, path, { email: 'Ada@example.com' });
});

test('another collection, another project and another field may have the value', async () => {
  const [first, second] = t.projects;
  const { path, name } = await uniqueCollection(first.api, ['email']);
  await newDocument(first.api, path, { email: 'x' });
  await newDocument(first.api, path, { name: 'x' });
  await newDocument(first.api, (await uniqueCollection(first.api, ['email'])).path, { email: 'x' });
  expect((await second.api.post('/collections', { name })).status).toBe(201);
  await addUnique(second.api, path, ['email']);
  await newDocument(second.api, path, { email: 'x' });
});

test('a missing or null value is not constrained, also as one of several', async () => {
  const { path } = await uniqueCollection(api, ['a'], ['b', 'c']);
  for (const fields of [{}, { a: null }, { b: 1 }, { b: 1, c: null }, { b: null, c: 2 }]) {
    await newDocument(api, path, fields);
    await newDocument(api, path, fields);
  }
  await newDocument(api, path, { a: { x: null }, b: [null], c: '' });
  expectDuplicate(await api.post(path, { a: { x: null } }), ['a']);
  expectDuplicate(await api.post(path, { b: [null], c: '' }), ['b', 'c']);
});

test('values of different types differ; an object is the same in whatever order, an array is not', async () => {
  const { path } = await uniqueCollection(api, ['v']);
  const values = [1, '1', true, 'true', 'null', '', 0, false, [], {}, [1], ['1'], [[1]], [1, 2], [2, 1]];
  for (const v of [...values, { a: 1, b: [2] }, { a: 1 }, '[1]', 0.1, 1e300, ' 1', 'É', 'é', 'e\u0301'])
    await newDocument(api, path, { v });
  for (const v of [1, '1', true, [], {}, [1, 2], 0.1, 1e300, 'é']) {
    expectDuplicate(await api.post(path, { v }), ['v']);
  }
  const write = async (json: string) =>
    expectDuplicate(await api.post(path, undefined, { raw: json }), ['v']);
  for (const json of ['{"v":{"b":[2],"a":1}}', '{"v":1.0}', '{"v":10e-1}', '{"v":-0}', '{"v":"\\u00c9"}'])
    await write(json);
});

test('several fields are unique together, each with any path', async () => {
  const { path } = await uniqueCollection(api, ['address.city', 'address.zip', 'weird\\.name']);
  const full = { address: { city: 'Paris', zip: 1 }, 'weird.name': 'x' };
  await newDocument(api, path, full);
  await newDocument(api, path, { ...full, address: { city: 'Paris', zip: 2 } });
  await newDocument(api, path, { ...full, 'weird.name': 'y' });
  await newDocument(api, path, { ...full, 'weird.name': undefined, weird: { name: 'x' } });
  // Paths enter objects only.
  await newDocument(api, path, { ...full, address: [{ city: 'Paris', zip: 1 }] });
  await newDocument(api, path, { ...full, address: 'Paris' });
  const reply = await api.post(path, { more: 1, ...full });
  expectDuplicate(reply, ['address.city', 'address.zip', 'weird\\.name']);
  expect(reply.body.error.message).toMatch(/the same values in "address\.city", .*\. Use different values\./);
});

test('Q1: names of fields are values of statements, whatever they look like', async () => {
  const names = [`it's`, `"'; DROP TABLE unique_values; --`, 'a$1', ' ', '0', '=>'];
  const { path } = await uniqueCollection(api, ...names.map((name) => [name, `in.${name}`]));
  for (const name of names) {
    const fields = { [name]: 1, in: { [name]: 2 } };
    await newDocument(api, path, fields);
    expectDuplicate(await api.post(path, fields), [name, `in.${name}`]);
  }
  const statements = await statementsOf(() => api.post(path, { [names[0]!]: 5, in: { [names[0]!]: 6 } }));
  expect(statements.filter((text) => text.includes('unique_values'))).toHaveLength(1);
  for (const text of statements) expect(text).not.toContain(names[0]);
});

test('D9: values of 100 KB and more can be unique', async () => {
  const { path } = await uniqueCollection(api, ['text']);
  for (const text of ['x'.repeat(100_000), `${'x'.repeat(99_999)}y`, 'ß€😀'.repeat(40_000)]) {
    const { id } = await newDocument(api, path, { text });
    expectDuplicate(await api.post(path, { text }), ['text']);
    expect((await api.patch(`${path}/${id}`, { more: 1 })).status).toBe(200);
  }
});

test('PATCH and PUT refuse what another document has, keep what is their own, and free what they gave up', async () => {
  const { path } = await uniqueCollection(api, ['email'], ['n']);
  const a = await newDocument(api, path, { email: 'a', n: 1 });
  const b = await newDocument(api, path, { email: 'b', n: 2 });
  for (const change of [{ email: 'a' }, { n: 5, email: 'a' }]) {
    expectDuplicate(await api.patch(`${path}/${b.id}`, change), ['email']);
    expectDuplicate(await api.put(`${path}/${b.id}`, { ...change }), ['email']);
  }
  expectDuplicate(await api.patch(`${path}/${b.id}`, { $increment: { n: -1 } }), ['n']);
  expect((await api.get(`${path}/${b.id}`)).body.data).toEqual(b);
  expect((await api.patch(`${path}/${b.id}`, { email: 'b', n: 2, more: true })).status).toBe(200);
  expect((await api.put(`${path}/${b.id}`, { email: 'b' })).status).toBe(200);
  await newDocument(api, path, { n: 2 });
  expect((await api.patch(`${path}/${a.id}`, { email: 'c' })).status).toBe(200);
  await newDocument(api, path, { email: 'a' });
  expect((await api.patch(`${path}/${a.id}`, { email: null })).status).toBe(200);
  expect((await api.patch(`${path}/${b.id}`, { email: 'c' })).status).toBe(200);
  expect((await api.patch(`${path}/${b.id}`, { $unset: { email: true } })).status).toBe(200);
  await newDocument(api, path, { email: 'c' });
});

test('a change of other fields only looks up, and in a collection without unique indexes does not even do that', async () => {
  const { path } = await uniqueCollection(api, ['a']);
  const { id } = await newDocument(api, path, { a: 1 });
  const values = (statements: string[]) => statements.filter((text) => text.includes('unique_values'));
  const looked = values(await statementsOf(() => api.patch(`${path}/${id}`, { b: 2 })));
  expect(looked).toHaveLength(1);
  expect(looked[0]).not.toMatch(/INSERT|UPDATE|DELETE/);
  const plain = await newCollection(api);
  const statements = await statementsOf(async () => {
    const made = await newDocument(api, plain.path, { a: 1 });
    await api.post(`${plain.path}/batch`, { documents: [{ a: 1 }, { a: 1 }] });
    await api.patch(`${plain.path}/${made.id}`, { a: 2 });
    await api.post(`${plain.path}/batch-update`, { updates: [{ id: made.id, a: 3 }] });
    await api.delete(`${plain.path}/${made.id}`);
  });
  expect(values(statements)).toEqual([]);
});

test('deleting frees the value, alone and in a batch', async () => {
  const { path } = await uniqueCollection(api, ['a'], ['b']);
  const fields = [1, 2, 3].map((n) => ({ a: n, b: n }));
  const [first, ...others] = (await api.post(`${path}/batch`, { documents: fields })).body.data;
  expect((await api.delete(`${path}/${first.id}`)).status).toBe(200);
  await newDocument(api, path, fields[0]!);
  const ids = others.map(({ id }: { id: string }) => id);
  expect((await api.post(`${path}/batch-delete`, { ids })).body.data.deleted).toBe(2);
  expect((await api.post(`${path}/batch`, { documents: fields.slice(1) })).status).toBe(201);
});

test('a batch is refused for what is stored and for what it holds twice; details name the first such item', async () => {
  const { path } = await uniqueCollection(api, ['a'], ['b']);
  await newDocument(api, path, { a: 'stored' });
  const batch = (...documents: object[]) => api.post(`${path}/batch`, { documents });
  expectDuplicate(await batch({ a: 1 }, { a: 2 }, { a: 'stored' }, { a: 1 }), ['a'], 2);
  const within = await batch({ b: 1 }, { a: 1 }, {}, { a: 1, b: 1 }, { a: 'stored' });
  expect(within.body.error).toMatchObject({ code: 'duplicate_value', details: { index: 3 } });
  expect(within.body.error.message).toMatch(
    /^Item 3: Another document in the collection, or in this batch, has /,
  );
  expectDuplicate(await batch({ a: 'stored' }), ['a'], 0);
  expect(await total(path)).toBe(1);
  // What the refused batches had claimed is free.
  expect((await batch({ a: 1, b: 1 }, { a: 2, b: 2 }, {}, {})).status).toBe(201);
  expect((await batch()).status).toBe(201);
});

test('1,000 documents with 1,000 values in one batch, and the last of them twice', async () => {
  const { path } = await uniqueCollection(api, ['n'], ['m', 'n']);
  const documents = Array.from({ length: 1000 }, (_, n) => ({ n, m: n % 2 }));
  const twice = [...documents.slice(0, 999), { n: 998 }];
  expectDuplicate(await api.post(`${path}/batch`, { documents: twice }), ['n'], 999);
  const { body, status } = await api.post(`${path}/batch`, { documents });
  expect(status).toBe(201);
  const updates = body.data.map(({ id, n }: { id: string; n: number }) => ({ id, n: 999 - n }));
  expect((await api.post(`${path}/batch-update`, { updates })).status).toBe(200);
  expectDuplicate(await api.post(path, { n: 0 }), ['n']);
});

test('a batch update can swap values, and pass them on in a circle', async () => {
  const { path } = await uniqueCollection(api, ['a']);
  const { body } = await api.post(`${path}/batch`, { documents: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] });
  const [one, two, three, four] = body.data.map(({ id }: { id: string }) => id);
  const update = (...updates: object[]) => api.post(`${path}/batch-update`, { updates });
  expect((await update({ id: two, a: 1 }, { id: one, a: 2 })).status).toBe(200);
  expect((await update({ id: two, a: 2 }, { id: one, a: 3 }, { id: three, a: 1 })).status).toBe(200);
  expect((await update({ id: one, a: 9 }, { id: two, a: 3 }, { id: two, a: 5 })).status).toBe(200);
  const all = await api.get(`${path}?orderBy=id`);
  expect(all.body.data.map(({ a }: { a: number }) => a)).toEqual([9, 5, 1, 4]);
  expectDuplicate(await update({ id: one, a: 0 }, { id: two, a: 4 }), ['a'], 1);
  expectDuplicate(await update({ id: three, a: 7 }, { id: two, a: 7 }, { id: four, b: 1 }), ['a'], 1);
  expectDuplicate(await update({ id: four, b: 1 }, { id: one, a: 4 }), ['a'], 1);
  for (const a of [2, 3, 7, 0]) await newDocument(api, path, { a });
  for (const a of [9, 5, 1, 4]) expectDuplicate(await api.post(path, { a }), ['a']);
});

test('a call that is repeated with its Idempotency-Key is answered as before; one that was refused can be made good', async () => {
  const { path } = await uniqueCollection(api, ['a']);
  const headers = { 'idempotency-key': 'one' };
  const first = await api.post(path, { a: 1 }, { headers });
  const again = await api.post(path, { a: 1 }, { headers });
  expect([first.status, again.status, again.body.data.id]).toEqual([201, 201, first.body.data.id]);
  const other = { headers: { 'idempotency-key': 'two' } };
  expectDuplicate(await api.post(path, { a: 1 }, other), ['a']);
  await api.delete(`${path}/${first.body.data.id}`);
  expect((await api.post(path, { a: 1 }, other)).status).toBe(201);
});

test('files of a refused document or change are not kept', async () => {
  const { path } = await uniqueCollection(api, ['a']);
  const send = (method: 'POST' | 'PATCH', url: string, a: string) =>
    sendForm(api, method, url, [
      ['data', JSON.stringify({ a })],
      ['note', file('note.txt', 'good text')],
    ]);
  expect((await send('POST', path, 'x')).status).toBe(201);
  const { id } = await newDocument(api, path, { a: 'y' });
  expectDuplicate(await send('POST', path, 'x'), ['a']);
  expectDuplicate(await send('PATCH', `${path}/${id}`, 'x'), ['a']);
  expect((await api.get('/storage/info')).body.data.files).toBe(1);
  expect((await send('PATCH', `${path}/${id}`, 'z')).status).toBe(200);
});

test('an app user is told of a duplicate, but not of fields that are hidden from it', async () => {
  const stage = new Stage(t);
  const name = await stage.collection({ hiddenFields: ['tenant', 'secret.code'] });
  const path = `/collections/${name}`;
  await addUnique(api, path, ['email', 'tenant']);
  await addUnique(api, path, ['secret.code']);
  const first = await newDocument(api, path, { email: 'a', tenant: 1, secret: { code: 's' } });
  const second = await newDocument(api, path, { email: 'b', tenant: 1 });
  const { client } = await stage.person();
  const reply = await client.patch(`${path}/${second.id}`, { email: 'a' });
  expectDuplicate(reply, ['email']);
  for (const word of ['tenant', first.id]) expect(reply.text).not.toContain(word);
  expectDuplicate(await api.patch(`${path}/${second.id}`, { email: 'a' }), ['email', 'tenant']);
  expectDuplicate(await api.patch(`${path}/${second.id}`, { secret: { code: 's' } }), ['secret.code']);
});

test('a dropped index no longer refuses', async () => {
  const { path } = await newCollection(api);
  const id = await addUnique(api, path, ['a']);
  await newDocument(api, path, { a: 1 });
  expectDuplicate(await api.post(path, { a: 1 }), ['a']);
  expect((await api.delete(`${path}/indexes/${id}`)).status).toBe(200);
  await newDocument(api, path, { a: 1 });
});
