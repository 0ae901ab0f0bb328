// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  const?: unknown;
}

const samples: Record<string, unknown[]> = {
  object: [{}],
  array: [[]],
  string: ['', 'x'],
  number: [0, 1.5, -1],
  boolean: [true, false],
  null: [null],
};

/** Values that the schema does not allow: every other type, here and in each part. */
function wrong(schema: Schema): unknown[] {
  const types = schema.anyOf ? schema.anyOf.map(({ type }) => type) : [schema.type];
  const others = Object.entries(samples).flatMap(([type, values]) => (types.includes(type) ? [] : values));
  if (schema.type === 'array' && schema.items)
    return [...others, ...wrong(schema.items).map((item) => [item])];
  if (schema.type !== 'object') return others;
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    wrong(part).map((value) => ({ [name]: value })),
  );
  const missing = schema.required?.length ? [{}] : [];
  return [...others, ...inside, ...missing];
}

test('D10: every body of the OpenAPI document is refused where a type is wrong', async () => {
  const { body: openapi } = await t.anonymous.get('/openapi.json');
  const document = await newDocument(api, posts.path, { a: 1 });
  const before = (await api.get(posts.path)).text;
  let tried = 0;
  for (const [path, operations] of Object.entries<Record<string, { requestBody?: unknown }>>(openapi.paths)) {
    if (!path.startsWith('/collections')) continue;
    const address = path.replace('{collection}', posts.name).replace('{id}', document.id);
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const content = (requestBody as { content?: Record<string, { schema: Schema }> } | undefined)?.content;
      // A query is sent as text.
      if (!content?.['application/json']) continue;
      for (const value of wrong(content['application/json'].schema)) {
        tried += 1;
        const reply = await api.call(method.toUpperCase(), address, undefined, {
          raw: JSON.stringify(value),
        });
        const what = `${method} ${path} ${JSON.stringify(value)}`;
        expect(reply.status, what).toBe(400);
        expect(['invalid_body', 'invalid_collection_name'], what).toContain(reply.body.error.code);
      }
    }
  }
  expect(tried).toBeGreaterThan(100);
  expect((await api.get(posts.path)).text).toBe(before);
});

test.each<[string, object]>([
  ['a list of operators', { $append: [{ list: 1 }] }],
  ['an operator that is text', { $append: 'list' }],
  ['an operator that is a number', { $increment: 1 }],
  ['$increment by null', { $increment: { n: null } }],
  ['$increment by text', { $increment: { n: '1' } }],
  ['$increment by an array', { $increment: { n: [1] } }],
  ['$each of an object', { $append: { list: { $each: { 0: 1, length: 1 } } } }],
  ['$each of text', { $addUnique: { list: { $each: 'abc' } } }],
  ['$each of null', { $remove: { list: { $each: null } } }],
])('D10: %s is refused', async (_name, patch) => {
  const document = await newDocument(api, posts.path, { n: 1, list: [1] });
  const at = `${posts.path}/${document.id}`;
  expect((await api.patch(at, patch)).status).toBe(400);
  expect(
    (await api.post(`${posts.path}/batch-update`, { updates: [{ id: document.id, ...patch }] })).status,
  ).toBe(400);
  expect((await api.get(at)).body.data).toEqual(document);
});

test('D10: what is not JSON is refused with the one form of failure', async () => {
  for (const raw of [
    '{',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    '{a:1}',
    'undefined',
    'NaN',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":"\t"}',
    '{} {}',
    '<a/>',
    '{"a":"\\x"}',
    'null',
  ]) {
    const { status, body } = await api.post(posts.path, undefined, { raw });
    expect({ status, body }, raw).toFailWith(400, 'invalid_body');
  }
});
