// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
});
afterAll(() => stage[Symbol.asyncDispose]());

interface Scene {
  readonly path: string;
  /** Two that Alice may change, then two she may only read, then two she may not read. */
  readonly ids: readonly string[];
}

async function scene(): Promise<Scene> {
  const rule = 'status=open';
  const collection = await stage.collection({
    rules: { read: 'status__ne=secret', create: rule, update: rule, delete: rule },
    hiddenFields: ['pin'],
  });
  const made = await stage.documents(
    collection,
    ['open', 'open', 'shut', 'shut', 'secret', 'secret'].map((status) => ({ status })),
  );
  return { path: `/collections/${collection}`, ids: made.map(({ id }) => id) };
}

const stored = (path: string) => succeed(stage.api.get(`${path}?orderBy=id`));

async function refused(call: Promise<Reply>, expected: string, index: number): Promise<void> {
  const { status, body, text } = await call;
  expect(`${status} ${body.error.code}`, text).toBe(expected);
  expect(body.error.details).toMatchObject({ index });
}

describe('batch create', () => {
  test.each([
    ['a document that the rule denies', [{ status: 'open' }, { status: 'shut' }, {}], '403 rule_denied', 1],
    [
      'a hidden field',
      [{ status: 'open' }, { status: 'open' }, { status: 'open', pin: 1 }],
      '403 field_protected',
      2,
    ],
    ['an operator', [{ status: 'open', $append: { a: 1 } }], '400 invalid_operator', 0],
  ])('%s stops it all, and is named', async (_what, documents, expected, index) => {
    const { path } = await scene();
    const before = await stored(path);
    await refused(alice.client.post(`${path}/batch`, { documents }), expected, index);
    expect(await stored(path)).toEqual(before);
  });

  test('what the rule allows is created', async () => {
    const { path } = await scene();
    const documents = [
      { status: 'open', n: 1 },
      { status: 'open', n: 2 },
    ];
    const reply = await alice.client.post(`${path}/batch`, { documents });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject(documents);
  });
});

describe('batch update', () => {
  const cases: [string, (ids: readonly string[]) => object[], string, number][] = [
    [
      'one that may only be read',
      ([a, , shut]) => [
        { id: a, n: 1 },
        { id: shut, n: 1 },
      ],
      '403 rule_denied',
      1,
    ],
    [
      'one that would leave the rule',
      ([a, b]) => [
        { id: a, n: 1 },
        { id: b, status: 'shut' },
      ],
      '403 rule_denied',
      1,
    ],
    ['one that enters the rule', ([, , shut]) => [{ id: shut, status: 'open' }], '403 rule_denied', 0],
    [
      'one that may not be read',
      ([a, , , , secret]) => [{ id: a }, { id: secret, n: 1 }],
      '400 batch_item_not_found',
      1,
    ],
    [
      'a hidden field',
      ([a, b]) => [
        { id: b, n: 1 },
        { id: a, pin: 1 },
      ],
      '403 field_protected',
      1,
    ],
    ['a hidden field in an operator', ([a]) => [{ id: a, $increment: { pin: 1 } }], '403 field_protected', 0],
  ];
  test.each(cases)('%s stops it all, and is named', async (_what, updatesOf, expected, index) => {
    const { path, ids } = await scene();
    const before = await stored(path);
    await refused(alice.client.post(`${path}/batch-update`, { updates: updatesOf(ids) }), expected, index);
    expect(await stored(path)).toEqual(before);
  });

  test('one that may not be read is like one that never was', async () => {
    const { path, ids } = await scene();
    const [, , , , secret] = ids;
    const never = secret!.replace(/....$/, '0000');
    const texts = await Promise.all(
      [secret!, never].map(async (id) => {
        const reply = await alice.client.post(`${path}/batch-update`, { updates: [{ id, n: 1 }] });
        return reply.text.replaceAll(id, '…').replace(/"requestId":"[^"]*"/, '');
      }),
    );
    expect(texts[0], 'Q11').toBe(texts[1]);
  });

  test('what the rule allows is changed, one named twice is judged each time', async () => {
    const { path, ids } = await scene();
    const [a, b] = ids;
    const updates = [
      { id: a, n: 1 },
      { id: b, n: 2 },
      { id: a, $increment: { n: 5 } },
    ];
    const reply = await alice.client.post(`${path}/batch-update`, { updates });
    expect(reply.body.data).toMatchObject([{ n: 6 }, { n: 2 }, { n: 6 }]);
    const twice = [
      { id: a, status: 'open' },
      { id: a, status: 'shut' },
    ];
    await refused(alice.client.post(`${path}/batch-update`, { updates: twice }), '403 rule_denied', 1);
  });
});

describe('batch delete', () => {
  test('the first that is denied in the order sent stops it all, and is named', async () => {
    const { path, ids } = await scene();
    const [a, , shut, shut2, secret] = ids;
    const before = await stored(path);
    const remove = (list: unknown[]) => alice.client.post(`${path}/batch-delete`, { ids: list });
    await refused(remove([a, shut2, shut]), '403 rule_denied', 1);
    await refused(remove([secret, 'nonsense', shut]), '403 rule_denied', 2);
    expect(await stored(path)).toEqual(before);
  });

  test('one that may not be read counts as missing, and stays', async () => {
    const { path, ids } = await scene();
    const [a, b, , , secret] = ids;
    const reply = await alice.client.post(`${path}/batch-delete`, { ids: [secret, a, b, a] });
    expect(reply.body.data).toEqual({ deleted: 2, ids: [a, b], missing: [secret] });
    expect(await stored(path)).toHaveLength(4);
  });
});

test('closed batches answer as single calls do', async () => {
  const rules = { create: 'locked', update: 'users', delete: 'owner' };
  const collection = await stage.collection({ rules, ownerField: 'owner_id' });
  const path = `/collections/${collection}`;
  const ask = async (caller: Client) => [
    await outcome(caller.post(`${path}/batch`, { documents: [{}] })),
    await outcome(caller.post(`${path}/batch-update`, { updates: [] })),
    await outcome(caller.post(`${path}/batch-delete`, { ids: [] })),
  ];
  const signIn = '401 credential_required';
  expect(await ask(stage.anonymous)).toEqual([signIn, signIn, signIn]);
  expect(await ask(alice.client)).toEqual(['403 rule_denied', '200', '200']);
});
