// @postgres newest
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { findCollection } from '../../../src/features/data/collections/index.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import type { Reply } from '../../support/client.ts';
import { doorTo, heldIn, uniqueCollection } from '../../support/indexes/unique-collection.ts';
import { useTestApp } from '../../support/test-app.ts';
import { type Fields, type Json, UniqueOracle, type Wish } from './unique-oracle.ts';

const t = useTestApp();
let db: ProjectDb;
beforeAll(async () => {
  db = await doorTo(t);
});

const indexes = [['a'], ['b.c'], ['a', 'd']];

const values = [0, 1, 2, '1', '', true, null, [1], [1, 2], [], {}, { x: 1, y: 2 }, { y: 2, x: 1 }];
const value = fc.constantFrom<Json>(...values, 'x'.repeat(3000));
const fields: fc.Arbitrary<Fields> = fc.record(
  { a: value, b: fc.oneof(value, fc.record({ c: value }, { noNullPrototype: true })), d: value },
  { requiredKeys: [], noNullPrototype: true },
);
/** Which of the documents there are: a place among them. */
const pick = fc.nat({ max: 19 });
const operation = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), fields }),
  fc.record({ kind: fc.constant('batch' as const), bodies: fc.array(fields, { maxLength: 5 }) }),
  fc.record({ kind: fc.constantFrom('patch' as const, 'put' as const), pick, fields }),
  fc.record({
    kind: fc.constant('batch-update' as const),
    updates: fc.array(fc.tuple(pick, fields), { maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('swap' as const), picks: fc.tuple(pick, pick) }),
  fc.record({ kind: fc.constant('delete' as const), picks: fc.array(pick, { minLength: 1, maxLength: 2 }) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

interface Planned {
  readonly wishes: readonly Wish[];
  readonly call: () => Promise<Reply>;
}

/** The writes that an operation wishes for, and the call that makes it; none if there is no document to work on. */
function plan(oracle: UniqueOracle, path: string, asked: Operation): Planned | undefined {
  if (asked.kind === 'create') {
    const wishes = [{ id: 'new 0', fields: asked.fields, at: 0 }];
    return { wishes, call: () => t.api.post(path, asked.fields) };
  }
  if (asked.kind === 'batch') {
    const wishes = asked.bodies.map((body, index) => ({ id: `new ${index}`, fields: body, at: index }));
    return { wishes, call: () => t.api.post(`${path}/batch`, { documents: asked.bodies }) };
  }
  const ids = [...oracle.documents.keys()];
  if (ids.length === 0) return undefined;
  const at = (place: number) => ids[place % ids.length]!;
  if (asked.kind === 'delete') return planDelete(path, [...new Set(asked.picks.map(at))]);
  if (asked.kind === 'swap')
    return planUpdate(oracle, path, swapped(oracle, at(asked.picks[0]), at(asked.picks[1])));
  if (asked.kind === 'batch-update')
    return planUpdate(
      oracle,
      path,
      asked.updates.map(([place, change]) => ({ ...change, id: at(place) })),
    );
  const id = at(asked.pick);
  const before = asked.kind === 'put' ? {} : oracle.documents.get(id);
  const wishes = [{ id, fields: { ...before, ...asked.fields }, at: 0 }];
  return { wishes, call: () => t.api.call(asked.kind.toUpperCase(), `${path}/${id}`, asked.fields) };
}

function planDelete(path: string, ids: readonly string[]): Planned {
  const wishes = ids.map((id, index) => ({ id, fields: null, at: index }));
  if (ids.length === 1) return { wishes, call: () => t.api.delete(`${path}/${ids[0]}`) };
  return { wishes, call: () => t.api.post(`${path}/batch-delete`, { ids }) };
}

function planUpdate(
  oracle: UniqueOracle,
  path: string,
  updates: readonly (Fields & { id: string })[],
): Planned {
  const become = new Map<string, Wish>();
  for (const [index, { id, ...change }] of updates.entries()) {
    const before = become.get(id)?.fields ?? oracle.documents.get(id)!;
    become.set(id, { id, fields: { ...before, ...change }, at: index });
  }
  return { wishes: [...become.values()], call: () => t.api.post(`${path}/batch-update`, { updates }) };
}

function swapped({ documents }: UniqueOracle, one: string, two: string) {
  const blank = { a: null, b: null, d: null };
  return [
    { ...blank, ...documents.get(two), id: one },
    { ...blank, ...documents.get(one), id: two },
  ];
}

/** Ids that the oracle gave for want of better ones become those of the answer. */
function nameNew(oracle: UniqueOracle, { body }: Reply): void {
  const made: { id: string }[] = Array.isArray(body.data) ? body.data : [body.data];
  for (const [index, { id }] of made.entries()) {
    const known = oracle.documents.get(`new ${index}`);
    if (!known) continue;
    oracle.documents.delete(`new ${index}`);
    oracle.documents.set(id, known);
  }
}

const seen = { done: 0, refused: 0 };

async function follow(oracle: UniqueOracle, path: string, asked: Operation): Promise<void> {
  const planned = plan(oracle, path, asked);
  if (!planned) return;
  const refusals = oracle.write(planned.wishes);
  const reply = await planned.call();
  const isBatch = 'bodies' in asked || 'updates' in asked || asked.kind === 'swap';
  if (refusals.length === 0) {
    expect([200, 201]).toContain(reply.status);
    nameNew(oracle, reply);
    seen.done += 1;
    return;
  }
  expect(reply).toFailWith(400, 'duplicate_value');
  const { fields: named, index } = reply.body.error.details;
  expect(refusals).toContainEqual({ index: named.join(), at: isBatch ? index : 0 });
  expect(index === undefined).toBe(!isBatch);
  seen.refused += 1;
}

test('any sequence of writes is taken or refused as by a naive model, and exactly the values that are stored are held', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 50, size: 'max' }),
      async (operations) => {
        const { path, name } = await uniqueCollection(t.api, ...indexes);
        const oracle = new UniqueOracle(indexes);
        for (const asked of operations) await follow(oracle, path, asked);
        const collection = (await findCollection(db, name))!;
        const held = await heldIn(db, collection.number);
        for (const { id, fields: paths } of collection.indexes) {
          const expected = oracle.heldBy(paths.map(({ path: keys }) => keys.join('.')));
          expect(held.get(id) ?? []).toEqual(expected);
        }
      },
    ),
    { numRuns: 25, interruptAfterTimeLimit: 60_000 },
  );
  console.log(`${seen.done} writes were taken and ${seen.refused} refused.`);
  expect(seen.done).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(50);
});
