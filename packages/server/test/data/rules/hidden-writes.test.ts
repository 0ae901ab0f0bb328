// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';
import { canary, hiddenFields, secret } from './hidden-world.ts';

let stage: Stage;
let alice: Person;
let collection: string;
let path: string;
let id: string;
let at: string;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
  collection = await stage.collection({ hiddenFields });
  path = `/collections/${collection}`;
  ({ id } = await stage.document(collection, secret(alice.id)));
  at = `${path}/${id}`;
});
afterAll(() => stage[Symbol.asyncDispose]());

const callers = (): Client[] => [stage.anonymous, alice.client];

describe('an app user cannot write it', () => {
  const bodies: object[] = [
    { pin: 'x' },
    { pin: null },
    { profile: { ssn: 'x' } },
    { 'odd.name': 'x' },
    { boss_id: null },
    { deep: { er: { still: 1 } } },
  ];
  const patches: object[] = [
    ...['pin', 'profile.ssn', 'profile.ssn.inner', 'profile', 'deep', 'deep.er', 'odd\\.name'].flatMap(
      (field) => [
        { $unset: { [field]: true } },
        { $append: { [field]: 1 } },
        { $addUnique: { [field]: { ssn: 1 } } },
        { $remove: { [field]: 1 } },
        { $increment: { [field]: 1 } },
      ],
    ),
    { profile: null },
    { profile: 'gone' },
    { profile: [] },
    { deep: { er: 5 } },
  ];

  test.each(bodies.map((body) => [JSON.stringify(body), body]))('%s', async (_text, body) => {
    const before = await succeed(stage.api.get(at));
    for (const caller of callers()) {
      const answers = [
        await outcome(caller.post(path, body)),
        await outcome(caller.post(`${path}/batch`, { documents: [body] })),
        await outcome(caller.patch(at, body)),
        await outcome(caller.put(at, body)),
        await outcome(caller.post(`${path}/batch-update`, { updates: [{ id, ...body }] })),
      ];
      expect(new Set(answers)).toEqual(new Set(['403 field_protected']));
    }
    expect(await succeed(stage.api.get(at))).toEqual(before);
  });

  test.each(patches.map((body) => [JSON.stringify(body), body]))('PATCH %s', async (_text, body) => {
    const before = await succeed(stage.api.get(at));
    expect(await alice.client.patch(at, body)).toFailWith(403, 'field_protected');
    expect(await succeed(stage.api.get(at))).toEqual(before);
  });
});

describe('what an app user writes leaves it as it was', () => {
  test('a PUT keeps it, also inside objects that are left out or replaced', async () => {
    for (const body of [
      { title: 'new' },
      { profile: {} },
      { profile: { name: 'Eve' }, deep: {} },
      { deep: { er: {} } },
    ]) {
      const { id } = await stage.document(collection, secret(alice.id));
      await succeed(alice.client.put(`${path}/${id}`, body));
      const kept = {
        pin: canary,
        profile: { ssn: canary },
        deep: { er: { still: canary } },
        'odd.name': canary,
      };
      expect(await succeed(stage.api.get(`${path}/${id}`))).toMatchObject({ ...body, ...merge(kept, body) });
    }
  });

  test('a PATCH that replaces the object around it keeps it', async () => {
    const { id } = await stage.document(collection, secret(alice.id));
    await succeed(
      alice.client.patch(`${path}/${id}`, { profile: { name: 'Eve' }, $unset: { 'deep.er.seen': true } }),
    );
    expect(await succeed(stage.api.get(`${path}/${id}`))).toMatchObject({
      profile: { name: 'Eve', ssn: canary },
      deep: { er: { still: canary } },
    });
  });

  test('whether something is hidden does not show in what is refused', async () => {
    for (const profile of [{ name: 'Ada', ssn: canary }, { name: 'Ada' }]) {
      const { id } = await stage.document(collection, { profile });
      const answers = [
        { profile: null },
        { profile: 'x' },
        { profile: {} },
        { $unset: { profile: true } },
      ].map((body) => outcome(alice.client.patch(`${path}/${id}`, body)));
      expect(await Promise.all(answers)).toEqual([
        '403 field_protected',
        '403 field_protected',
        '200',
        '403 field_protected',
      ]);
    }
  });
});

test('the API key writes it like any field', async () => {
  const { id } = await stage.document(collection, secret(alice.id));
  await succeed(stage.api.patch(`${path}/${id}`, { pin: 'new', $unset: { profile: true } }));
  expect(await succeed(stage.api.get(`${path}/${id}`))).toMatchObject({ pin: 'new' });
  expect(await succeed(stage.api.put(`${path}/${id}`, { a: 1 }))).not.toHaveProperty('pin');
});

/** The hidden values beside what a body says of the objects around them. */
function merge(kept: Record<string, unknown>, body: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...kept };
  for (const [name, value] of Object.entries(body)) {
    const hidden = kept[name];
    if (typeof value === 'object' && typeof hidden === 'object')
      merged[name] = {
        ...value,
        ...merge(hidden as Record<string, unknown>, value as Record<string, unknown>),
      };
  }
  return merged;
}
