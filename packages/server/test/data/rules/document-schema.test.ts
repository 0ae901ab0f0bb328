// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workTime } from '../../support/calls/work-time.ts';
import type { Reply } from '../../support/client.ts';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

type Fields = Record<string, unknown>;

const schema = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', minLength: 1, pattern: '^[A-Z]' },
    slug: { type: 'string', pattern: '^[a-z-]+$' },
    price: { type: 'number', minimum: 0 },
    address: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
};

/** Each is looked at twice as often as the one before it. */
const doublingReferences = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => {
    const next = { $ref: `#/$defs/s${n + 1}` };
    return [`s${n}`, n === 39 ? { type: ['object', 'number'] } : { allOf: [next, next] }];
  }),
);

let stage: Stage;
let alice: Person;
let path: string;
let id: string;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
  path = `/collections/${await stage.collection({ schema })}`;
  ({ id } = await succeed(stage.api.post(path, { title: 'Good', price: 1, address: { city: 'Lagos' } })));
});
afterAll(() => stage[Symbol.asyncDispose]());

function mismatch({ status, body }: Reply): string {
  return `${status} ${body.error?.code} ${body.error?.details?.path}`;
}

describe('every write must fit, with the API key and without', () => {
  test.each([
    [{}, 'title'],
    [{ title: 5 }, 'title'],
    [{ title: 'lower case' }, 'title'],
    [{ title: 'Good', slug: 'NOT a slug' }, 'slug'],
    [{ title: 'Good', price: -1 }, 'price'],
    [{ title: 'Good', price: '1' }, 'price'],
    [{ title: 'Good', address: {} }, 'address.city'],
    [{ title: 'Good', address: { city: null } }, 'address.city'],
    [{ title: 'Good', tags: ['a', 5] }, 'tags.1'],
    [{ title: 'Good', tags: ['a', 'b', 'a'] }, 'tags'],
  ])('%j does not, because of %s', async (body: Fields, at) => {
    for (const caller of [stage.api, alice.client]) {
      expect(mismatch(await caller.post(path, body))).toBe(`400 schema_mismatch ${at}`);
      expect(mismatch(await caller.put(`${path}/${id}`, body))).toBe(`400 schema_mismatch ${at}`);
      const documents = [{ title: 'Good' }, body];
      const batch = await caller.post(`${path}/batch`, { documents });
      expect(mismatch(batch)).toBe(`400 schema_mismatch ${at}`);
      expect(batch.body.error.details.index).toBe(1);
      const change = 'title' in body ? body : { $unset: { title: true } };
      expect(mismatch(await caller.patch(`${path}/${id}`, change))).toBe(`400 schema_mismatch ${at}`);
      const updates = [
        { id, price: 2 },
        { id, ...change },
      ];
      const changed = await caller.post(`${path}/batch-update`, { updates });
      expect(mismatch(changed)).toBe(`400 schema_mismatch ${at}`);
      expect(changed.body.error.details.index).toBe(1);
    }
    expect(await succeed(stage.api.get(path))).toMatchObject([{ title: 'Good', price: 1 }]);
  });

  test('operators are judged by what they make of the document', async () => {
    expect(mismatch(await stage.api.patch(`${path}/${id}`, { $increment: { price: -5 } }))).toMatch(/price$/);
    expect(mismatch(await stage.api.patch(`${path}/${id}`, { $append: { tags: 5 } }))).toMatch(/tags\.0$/);
    expect(await outcome(stage.api.patch(`${path}/${id}`, { $increment: { price: 1 } }))).toBe('200');
    await succeed(stage.api.patch(`${path}/${id}`, { price: 1 }));
  });
});

test('null removes the schema, and another part of the settings leaves it', async () => {
  const collection = await stage.collection({ schema });
  await stage.settings(collection, { hiddenFields: ['x'] });
  expect(await stage.api.post(`/collections/${collection}`, {})).toFailWith(400, 'schema_mismatch');
  const { body } = await stage.settings(collection, { schema: null });
  expect(body.data.settings).not.toHaveProperty('schema');
  expect(await outcome(stage.api.post(`/collections/${collection}`, {}))).toBe('201');
});

test('what was stored before a schema stays, and must fit when it changes', async () => {
  const collection = await stage.collection();
  const { id } = await stage.document(collection, { title: 5 });
  await stage.settings(collection, { schema });
  const at = `/collections/${collection}/${id}`;
  expect(await outcome(stage.api.get(at))).toBe('200');
  expect(mismatch(await stage.api.patch(at, { price: 1 }))).toBe('400 schema_mismatch title');
  expect(await outcome(stage.api.patch(at, { title: 'Good' }))).toBe('200');
});

describe('a schema that could not be used is refused', () => {
  test.each([
    ['no type', { type: 'nonsense' }],
    ['a keyword of the wrong form', { properties: [] }],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }],
    ['a reference to the network', { $ref: 'http://127.0.0.1:9/schema.json' }],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['a pattern with a look-ahead', { properties: { a: { pattern: '(?=a)b' } } }],
    ['an asynchronous one', { $async: true, type: 'object' }],
    ['one that takes years for an empty document', { $ref: '#/$defs/s0', $defs: doublingReferences }],
    ['one that is too long', { description: 'x'.repeat(70_000) }],
  ])('%s', async (_what, bad) => {
    const collection = await stage.collection({ schema });
    const reply = await stage.api.patch(`/collections/${collection}`, { settings: { schema: bad } });
    expect(reply).toFailWith(400, 'invalid_schema');
    expect(await stage.api.post(`/collections/${collection}`, {})).toFailWith(400, 'schema_mismatch');
  });

  test.each([[[]], ['text'], [5], [true]])('%j is no schema', async (bad) => {
    expect(await stage.api.patch(path, { settings: { schema: bad } })).toFailWith(400, 'invalid_body');
  });
});

describe('a schema cannot stall the service', () => {
  const cases: [string, Fields, Fields, string][] = [
    [
      'a pattern that others take years for',
      { properties: { a: { pattern: '^(a+)+$' } } },
      { a: `${'a'.repeat(50_000)}!` },
      '400 schema_mismatch',
    ],
    [
      'several of them',
      { patternProperties: { '(x+x+)+y': { pattern: '(a|aa)+$' } } },
      { [`${'x'.repeat(5000)}y`]: `${'a'.repeat(5000)}!` },
      '400 schema_mismatch',
    ],
    [
      'a long array of different elements',
      { properties: { a: { uniqueItems: true } } },
      { a: Array.from({ length: 30_000 }, (_, n) => ({ n })) },
      '201',
    ],
    [
      'references that double each other',
      { properties: { a: { $ref: '#/$defs/s0' } }, $defs: doublingReferences },
      { a: 1 },
      '400 schema_too_slow',
    ],
  ];
  test.each(cases)('%s', async (_what, slow, document, expected) => {
    const collection = await stage.collection({ schema: slow });
    const spentMs = await workTime(async () => {
      expect(await outcome(stage.api.post(`/collections/${collection}`, document))).toBe(expected);
    });
    // Far above what it takes, far below what it would take.
    expect(spentMs).toBeLessThan(20_000);
  });
});

test('equal elements are found whatever the order of their fields', async () => {
  const collection = await stage.collection({ schema: { properties: { a: { uniqueItems: true } } } });
  const post = (a: unknown) => outcome(stage.api.post(`/collections/${collection}`, { a }));
  expect(
    await post([
      { x: 1, y: [2] },
      { y: [2], x: 1 },
    ]),
  ).toBe('400 schema_mismatch');
  expect(await post([{ x: 1, y: [2] }, { y: [2, 3], x: 1 }, 1, '1', true, null, [1], ['1']])).toBe('201');
});
