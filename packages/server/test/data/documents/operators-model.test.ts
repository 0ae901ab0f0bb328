// @tables own moving
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = Record<string, Json>;

const t = useTestApp();
let posts: NewCollection;
beforeAll(async () => {
  posts = await newCollection(t.api);
});

class Mismatch extends Error {}

const same = (a: Json, b: Json) => canonical(a) === canonical(b);

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${key}:${canonical(value[key]!)}`).join()}}`;
}

/** What one operator makes of a value; undefined is "no such field". */
function operate(operator: string, before: Json | undefined, operand: Json): Json | undefined {
  if (operator === '$unset') return undefined;
  if (operator === '$increment') {
    if (before !== undefined && typeof before !== 'number') throw new Mismatch();
    return (before ?? 0) + (operand as number);
  }
  if (before !== undefined && !Array.isArray(before)) throw new Mismatch();
  const values = isEach(operand) ? operand.$each : [operand];
  if (operator === '$remove') return before?.filter((one) => !values.some((value) => same(one, value)));
  const list = [...(before ?? [])];
  for (const value of values) {
    if (operator === '$append' || !list.some((one) => same(one, value))) list.push(value);
  }
  return list;
}

const isEach = (operand: Json): operand is { $each: Json[] } =>
  typeof operand === 'object' && operand !== null && '$each' in operand;

function put(
  fields: Json | undefined,
  path: string[],
  change: (value?: Json) => Json | undefined,
): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change(fields);
  if (fields !== undefined && (typeof fields !== 'object' || fields === null || Array.isArray(fields))) {
    throw new Mismatch();
  }
  const value = put(fields?.[key], rest, change);
  const { [key]: _old, ...others } = fields ?? {};
  if (value !== undefined) return { ...others, [key]: value };
  // Nothing was there and nothing is: objects on the way are not made for it.
  return fields === undefined ? undefined : others;
}

function model(before: Fields, patch: Fields): Fields {
  let after: Json = { ...before };
  for (const [name, value] of Object.entries(patch)) if (!name.startsWith('$')) after[name] = value;
  for (const [operator, operands] of Object.entries(patch)) {
    if (!operator.startsWith('$')) continue;
    for (const [path, operand] of Object.entries(operands as Fields)) {
      after = put(after, path.split('.'), (value) => operate(operator, value, operand)) as Fields;
    }
  }
  return after;
}

const leaf = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map((n) => n + 0),
  fc.constantFrom<Json>('', 'a', true, false, null, 0.5),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 3, arbitrary: fc.array(leaf, { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), {
      noNullPrototype: true,
    }),
  },
);
const name = fc.constantFrom('a', 'b', 'c');
const path = fc.oneof(name, fc.constantFrom('a.x', 'b.x', 'c.y', 'a.x.y'));
const several = fc.oneof(
  value,
  fc.record({ $each: fc.array(value, { maxLength: 3 }) }, { noNullPrototype: true }),
);
const operands = (operand: fc.Arbitrary<Json>) =>
  fc.dictionary(path, operand, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
const patch = fc
  .record(
    {
      $append: operands(several),
      $addUnique: operands(several),
      $remove: operands(several),
      $increment: operands(fc.integer({ min: -5, max: 5 }).map((n) => n + 0)),
      $unset: operands(fc.constant(true)),
      a: value,
      b: value,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .chain((body) => fc.shuffledSubarray(Object.entries(body)).map((entries) => Object.fromEntries(entries)));
const fields = fc.dictionary(name, value, { noNullPrototype: true });

test('any sequence of patches does what a plain model does, or nothing where the model refuses', async () => {
  const seen = { applied: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fields, fc.array(patch, { minLength: 1, maxLength: 5 }), async (start, patches) => {
      const { id, createdAt } = await newDocument(t.api, posts.path, start);
      let expected = start;
      for (const body of patches) {
        const { status, body: answer } = await t.api.patch(`${posts.path}/${id}`, body);
        try {
          expected = model(expected, body);
          seen.applied += 1;
          expect(status).toBe(200);
        } catch (error) {
          if (!(error instanceof Mismatch)) throw error;
          seen.refused += 1;
          expect({ status, body: answer }).toFailWith(400, 'operator_mismatch');
        }
        const read = (await t.api.get(`${posts.path}/${id}`)).body.data;
        const { updatedAt: _updatedAt, ...rest } = read;
        expect(rest).toEqual({ id, createdAt, ...expected });
      }
    }),
    { numRuns: 60 },
  );
  // The generators reach both outcomes, or the test would prove little.
  expect(seen.applied).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(20);
});
