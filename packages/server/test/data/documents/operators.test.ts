// @tables own moving
import { beforeAll, expect, test } from 'vitest';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let posts: NewCollection;
beforeAll(async () => {
  posts = await newCollection(t.api);
});

/** The fields of a document with these, after these patches; every patch must succeed. */
async function patched(fields: object, ...patches: object[]): Promise<Record<string, unknown>> {
  const { id } = await newDocument(t.api, posts.path, fields);
  for (const patch of patches) {
    const reply = await t.api.patch(`${posts.path}/${id}`, patch);
    expect(reply.status, reply.text).toBe(200);
  }
  return fieldsOf((await t.api.get(`${posts.path}/${id}`)).body.data);
}

function fieldsOf(document: Record<string, unknown>): Record<string, unknown> {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = document;
  return fields;
}

test.each<[string, object, object, object]>([
  ['$append adds at the end, also what is there', { a: [1] }, { $append: { a: 1 } }, { a: [1, 1] }],
  ['$append makes an absent field an array', {}, { $append: { a: 'x' } }, { a: ['x'] }],
  ['$append takes an array as one value', { a: [] }, { $append: { a: [1, 2] } }, { a: [[1, 2]] }],
  ['$append takes null', { a: [1] }, { $append: { a: null } }, { a: [1, null] }],
  [
    '$append takes $each',
    { a: [1] },
    { $append: { a: { $each: [1, [2], null] } } },
    { a: [1, 1, [2], null] },
  ],
  ['$append with an empty $each makes the array', {}, { $append: { a: { $each: [] } } }, { a: [] }],
  ['$addUnique adds what is absent', { a: [1, '1'] }, { $addUnique: { a: true } }, { a: [1, '1', true] }],
  ['$addUnique leaves what is there', { a: [1, 1] }, { $addUnique: { a: 1 } }, { a: [1, 1] }],
  [
    '$addUnique compares by value, not by the order of keys',
    { a: [{ x: 1, y: [2] }] },
    { $addUnique: { a: { y: [2], x: 1 } } },
    { a: [{ x: 1, y: [2] }] },
  ],
  ['$addUnique with $each adds each once', {}, { $addUnique: { a: { $each: [1, 2, 1] } } }, { a: [1, 2] }],
  ['$remove takes every equal element', { a: [1, 2, 1, '1'] }, { $remove: { a: 1 } }, { a: [2, '1'] }],
  [
    '$remove takes objects by value',
    { a: [{ x: 1, y: 2 }, 3] },
    { $remove: { a: { y: 2, x: 1 } } },
    { a: [3] },
  ],
  ['$remove takes $each', { a: [1, 2, 3] }, { $remove: { a: { $each: [1, 3, 9] } } }, { a: [2] }],
  ['$remove of an absent field does nothing', { b: 1 }, { $remove: { a: 1, 'c.d': 1 } }, { b: 1 }],
  ['$increment adds, and starts at 0', { n: 1.5 }, { $increment: { n: -2, m: 3 } }, { n: -0.5, m: 3 }],
  ['$unset removes, whatever the value', { a: 1, b: 2 }, { $unset: { a: true, c: null } }, { b: 2 }],
  [
    'dotted paths reach into objects and make them',
    { a: { b: { n: 1, l: [1] } } },
    { $increment: { 'a.b.n': 1 }, $append: { 'a.b.l': 2, 'x.y': 3 }, $unset: { 'a.b.none.deeper': 1 } },
    { a: { b: { n: 2, l: [1, 2] } }, x: { y: [3] } },
  ],
  ['digits are keys', { a: { 0: [1] } }, { $append: { 'a.0': 2 } }, { a: { 0: [1, 2] } }],
  ['an escaped dot is part of the name', { 'a.b': [1] }, { $append: { 'a\\.b': 2 } }, { 'a.b': [1, 2] }],
  [
    'fields are set first, then operators run as written',
    { a: [9] },
    { $append: { a: 2 }, a: [1], $remove: { a: 1 }, $addUnique: { a: 1 } },
    { a: [2, 1] },
  ],
])('%s', async (_name, before, patch, after) => {
  expect(await patched(before, patch)).toEqual(after);
});

test('-0 is the number 0 to the operators, as it is when stored', async () => {
  const { id } = await newDocument(t.api, posts.path, { a: [0], b: [0, 1] });
  const { body } = await t.api.patch(`${posts.path}/${id}`, undefined, {
    raw: '{"$addUnique":{"a":-0},"$remove":{"b":-0}}',
  });
  expect(fieldsOf(body.data)).toEqual({ a: [0], b: [1] });
});

test.each<[string, object]>([
  ['$append to a string', { $append: { text: 1 } }],
  ['$append to null', { $append: { nothing: 1 } }],
  ['$append to an object', { $append: { object: 1 } }],
  ['$addUnique to a number', { $addUnique: { number: 1 } }],
  ['$remove from a string', { $remove: { text: 'a' } }],
  ['$increment of a string', { $increment: { text: 1 } }],
  ['$increment of null', { $increment: { nothing: 1 } }],
  ['a path through a string', { $append: { 'text.a': 1 } }],
  ['a path through an array', { $increment: { 'list.0': 1 } }],
  ['one that fails after one that works', { fresh: 1, $append: { list: 9 }, $increment: { text: 1 } }],
])('a target of the wrong type is operator_mismatch and changes nothing: %s', async (_name, patch) => {
  const fields = { text: 'abc', nothing: null, object: {}, number: 1, list: [1] };
  const created = await newDocument(t.api, posts.path, fields);
  const reply = await t.api.patch(`${posts.path}/${created.id}`, patch);
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatchObject({
    code: 'operator_mismatch',
    details: { operator: expect.stringMatching(/^\$/), field: expect.any(String) },
  });
  const read = await t.api.get(`${posts.path}/${created.id}`);
  expect(read.body.data).toEqual(created);
  expect(read.headers.get('etag')).toBe('"1"');
});

test.each<[string, object]>([
  ['an unknown operator', { $push: { a: 1 } }],
  ['an operator without fields', { $append: [1] }],
  ['an operator of null', { $unset: null }],
  ['$each that is no array', { $append: { a: { $each: 1 } } }],
  ['$each beside other keys', { $append: { a: { $each: [1], $slice: 2 } } }],
  ['$increment by text', { $increment: { n: '1' } }],
  ['an empty path', { $append: { '': 1 } }],
  ['an empty part of a path', { $append: { 'a..b': 1 } }],
  ['an operator inside an operator', { $append: { $append: 1 } }],
  ['what the service sets', { $unset: { createdAt: 1 } }],
])('400 invalid_operator: %s', async (_name, patch) => {
  const created = await newDocument(t.api, posts.path, { n: 1 });
  const reply = await t.api.patch(`${posts.path}/${created.id}`, patch);
  expect(reply).toFailWith(400, 'invalid_operator');
  expect((await t.api.get(`${posts.path}/${created.id}`)).body.data).toEqual(created);
});

test('operators are for PATCH alone', async () => {
  const { id } = await newDocument(t.api, posts.path, { a: [1] });
  for (const reply of [
    await t.api.post(posts.path, { $append: { a: 1 } }),
    await t.api.put(`${posts.path}/${id}`, { $append: { a: 1 } }),
    await t.api.post(`${posts.path}/batch`, { documents: [{ $set: { a: 1 } }] }),
  ]) {
    expect(reply).toFailWith(400, 'invalid_operator');
  }
});

test('a path cannot nest deeper than a document may', async () => {
  const { id } = await newDocument(t.api, posts.path, {});
  const path = (depth: number) => Array.from({ length: depth }, () => 'x').join('.');
  const at = `${posts.path}/${id}`;
  expect((await t.api.patch(at, { $increment: { [path(32)]: 1 } })).status).toBe(200);
  expect((await t.api.patch(at, { $append: { [`y.${path(31)}`]: 1 } })).status).toBe(400);
  expect((await t.api.patch(at, { $increment: { [path(33)]: 1 } })).status).toBe(400);
});
