// @tables own moving
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { Connection } from '../../../src/platform/db/connection.ts';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let stored: Stored;
beforeAll(() => {
  stored = new Stored(t, t.projects[0]);
});

const isMoving = process.env.PLINTH_TEST_TABLES === 'moving';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    'a: null, b',
    '": null',
    '\\": null,',
    '\n\t\u0001\u007f\u2028',
    '0000000',
    'x'.repeat(200),
  ),
);
const number = fc.oneof(
  fc.integer(),
  // Integers that no body may hold are left out.
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((one) => !Number.isInteger(one) || Math.abs(one) >= 1e21),
  fc.constantFrom(0, -0, 1e300, 1e21, 1e-6, 1e-7, 5e-324, 9007199254740991, 100000, 0.1),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'zz',
    '10',
    '9',
    '',
    'with "quotes"',
    "it's",
    'x: null',
    'dotted.name',
    '\\',
    'id',
    'createdAt',
    'updatedAt',
  ),
  fc.string({ maxLength: 5 }).filter((one) => !one.startsWith('$') && one !== '__proto__'),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(
    fc.constantFrom('k', 'null', 'deep', ': null'),
    fc.oneof(scalar, fc.dictionary(name, scalar, { maxKeys: 2 })),
    {
      maxKeys: 3,
    },
  ),
);
const fields = (maxKeys: number) => fc.dictionary(name, value, { maxKeys });

/** What an answer says, but for what differs between two documents. */
const plain = (answer: string) => answer.replaceAll(/"(id|createdAt|updatedAt)":"[^"]*"/g, '"$1":…');

/** Does work, and says whether a document was changed in one statement meanwhile. */
async function watched<Result>(work: () => Promise<Result>): Promise<{ result: Result; isMerged: boolean }> {
  const query = vi.spyOn(Connection.prototype, 'query');
  const result = await work();
  const isMerged = query.mock.calls.some((given) => JSON.stringify(given).includes('AS after'));
  query.mockRestore();
  return { result, isMerged };
}

const seen = (version: number) => ({ headers: { 'if-match': `"${version}"` } });

async function rowOf(id: string) {
  const [row] = await stored.query<{ version: number; bytes: number; data: string }>(
    'SELECT version, bytes, data::text FROM cell.every_document WHERE project_id = $1 AND id = $2',
    [id],
  );
  return row;
}

test('a PATCH without a look at the document does what one with a look does', async () => {
  const { path } = await newCollection(t.api);
  let merged = 0;
  const change = fc.record({
    first: fields(12),
    patches: fc.array(fields(3), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ first, patches }) => {
      const [one, other] = [await newDocument(t.api, path, first), await newDocument(t.api, path, first)];
      for (const [at, patch] of patches.entries()) {
        const { result: fast, isMerged } = await watched(() => t.api.patch(`${path}/${one.id}`, patch));
        merged += isMerged ? 1 : 0;
        const slow = await t.api.patch(`${path}/${other.id}`, patch, seen(at + 1));
        expect([fast.status, fast.headers.get('etag')]).toEqual([200, `"${at + 2}"`]);
        expect(plain(fast.text)).toBe(plain(slow.text));
        expect(await rowOf(one.id)).toEqual(await rowOf(other.id));
        const read = await t.api.get(`${path}/${one.id}`);
        expect(read.body.data).toEqual(fast.body.data);
        expect(Date.parse(read.body.data.updatedAt)).toBeGreaterThan(Date.parse(read.body.data.createdAt));
      }
    }),
    { numRuns: 80 },
  );
  if (!isMoving) expect(merged).toBeGreaterThan(20);
});

test.skipIf(isMoving)('which PATCHes need no look at the document', async () => {
  const { path } = await newCollection(t.api);
  const linked = await newDocument(t.api, path, {});
  const { id } = await newDocument(t.api, path, { n: 1, text: '' });
  const isMerged = async (patch: object, options = {}) => {
    const { result, isMerged } = await watched(() => t.api.patch(`${path}/${id}`, patch, options));
    expect(result.status).toBe(200);
    return isMerged;
  };
  expect(await isMerged({ n: 2 })).toBe(true);
  expect(await isMerged({})).toBe(true);
  expect(await isMerged({ id: linked.id, n: null })).toBe(true);
  expect(await isMerged({ $set: { n: 3 } })).toBe(false);
  expect(await isMerged({ n: 4 }, seen(5))).toBe(false);
  expect(await isMerged({ n: 5 }, { headers: { 'idempotency-key': 'merged' } })).toBe(false);
  expect(await isMerged({ unknown: 1 })).toBe(false);
  expect(await isMerged({ unknown: 2 })).toBe(true);
  expect(await isMerged({ text: linked.id })).toBe(false);
  expect(await isMerged({ text: 'x'.repeat(1000) })).toBe(false);
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  expect((await t.api.patch(path, { settings: { schema } })).status).toBe(200);
  expect(await t.api.patch(`${path}/${id}`, { n: 'text' })).toFailWith(400, 'schema_mismatch');
});

test('a document that does not exist is not found, and leaves no name behind', async () => {
  const { path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, { n: 1 });
  await t.api.delete(`${path}/${id}`);
  for (const patch of [{ n: 2 }, { other: 2 }])
    expect(await t.api.patch(`${path}/${id}`, patch)).toFailWith(404, 'document_not_found');
  const { body } = await t.api.get(`${path}?other=1`);
  expect(body.warnings).toEqual([expect.stringContaining('`other`')]);
});

test('PATCHes of one document at one moment all arrive, each with a version of its own', async () => {
  const { path } = await newCollection(t.api);
  const names = Array.from({ length: 40 }, (_, at) => `f${at}`);
  const { id } = await newDocument(t.api, path, Object.fromEntries(names.map((name) => [name, 0])));
  const other = await t.node();
  const nodes = [t.api, new Client(other.url, { 'x-api-key': t.projects[0].apiKey })];
  const replies = await Promise.all(
    names.map((name, at) => nodes[at % 2]!.patch(`${path}/${id}`, { [name]: 1 })),
  );
  const versions = replies.map(({ headers }) => headers.get('etag'));
  expect(new Set(versions)).toEqual(new Set(names.map((_, at) => `"${at + 2}"`)));
  const { body } = await t.api.get(`${path}/${id}`);
  expect(body.data).toMatchObject(Object.fromEntries(names.map((name) => [name, 1])));
});

test('PATCHes beside deletions and batches change what is there, or find nothing', async () => {
  const { path, name } = await newCollection(t.api);
  const made = await Promise.all(Array.from({ length: 60 }, () => newDocument(t.api, path, { n: 0, m: 0 })));
  await Promise.all(
    made.flatMap(({ id }, at) => [
      t.api.patch(`${path}/${id}`, { n: 1 }),
      at % 2 === 0
        ? t.api.delete(`${path}/${id}`)
        : t.api.post(`${path}/batch-update`, { updates: [{ id, m: 1 }] }),
    ]),
  );
  const { body } = await t.api.get(`${path}?limit=100`);
  expect(body.data).toHaveLength(30);
  for (const one of body.data) expect(one).toMatchObject({ n: 1, m: 1 });
  const { number } = await stored.collection(name);
  expect((await stored.counted(number)).sum).toBe(30);
});
