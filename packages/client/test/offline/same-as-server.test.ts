import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newCollection } from '../../../server/test/support/data/new-collection.ts';
import { useTestApp } from '../../../server/test/support/test-app.ts';
import { createClient } from '../../src/index.ts';
import { applyChanges } from '../../src/offline/apply-changes.ts';
import { matches } from '../../src/offline/matches.ts';

const t = useTestApp();
const server = () =>
  createClient({
    url: `${t.url}/p/${t.projects[0].ref}`,
    apiKey: t.projects[0].apiKey,
    onWarning: () => {},
  });

const text = fc.constantFrom(
  'a',
  'A',
  'b b',
  '9',
  '10',
  '-1.5',
  'true',
  'a,b',
  'Σς',
  'ab',
  '',
  '1e3',
  'x=y&z',
  '+',
);
const scalar = fc.oneof(text, fc.constantFrom(0, 1, 9, 10, -1.5, 1000), fc.boolean(), fc.constant(null));
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
);
const fields = fc.record(
  {
    f: value,
    g: value,
    h: fc.record({ i: value, 'j.k': value }, { requiredKeys: [] }),
    limit: value,
    a__gt: value,
  },
  { requiredKeys: [] },
);
const path = fc.constantFrom('f', 'g', 'h.i', 'h.j\\.k', 'limit', 'a__gt', 'none');
const given = fc.oneof(text, fc.constantFrom(0, 1, 9, 10, -1.5, 1000), fc.boolean());

test('a filter means on the device what it means on the server', async () => {
  const { name } = await newCollection(t.api);
  const collection = server().collection(name);
  const documents = await collection.createMany(fc.sample(fields, { numRuns: 200, seed: 7 }));
  const condition = fc.oneof(
    fc.tuple(path, given),
    fc.tuple(
      path,
      fc.constantFrom('ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'startswith', 'endswith'),
      given,
    ),
    fc.tuple(path, fc.constantFrom('in', 'notin'), fc.array(given, { maxLength: 3 })),
    fc.tuple(path, fc.constant('isnull'), fc.boolean()),
    fc.tuple(
      fc.constantFrom('createdAt', 'updatedAt'),
      fc.constantFrom('gt', 'lte'),
      fc.constant('2026-01-01'),
    ),
  );
  type Given = readonly [string, string];
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { minLength: 1, maxLength: 2 }),
      fc.array(condition, { maxLength: 3 }),
      async (all, any) => {
        let query = collection.orderBy('id');
        for (const one of all) query = query.where(...(one as unknown as Given));
        if (any.length > 0) query = query.any((is) => any.map((one) => is(...(one as unknown as Given))));
        const found = (await query.all()).map(({ id }) => id);
        const matched = documents.filter((document) => matches(query.filter, document)).map(({ id }) => id);
        expect(matched.toSorted(), query.filter).toEqual(found);
      },
    ),
    { numRuns: 400 },
  );
});

test('the language of URLs means the same, too', async () => {
  const { name } = await newCollection(t.api);
  const collection = server().collection(name);
  const documents = await collection.createMany([
    { a: 1, b: 'x' },
    { a: 2, b: 'y', c: { d: 'x' } },
    { a: '2', b: 'X' },
    { b: ['x', 'y'] },
  ]);
  for (const filter of [
    'a__or__b=2',
    'a__or__c.d__contains=x',
    '[or]a=1&[or]b=y',
    '[or:p]a=1&[or:p]b=y&[or:q]a=2&[or:q]b=x',
    'a__gte:text=2',
    'b__in=x,+y',
    'field:a__gte=2',
    'b__notin=x',
    '',
  ]) {
    const found = (await collection.where(filter).orderBy('id').all()).map(({ id }) => id);
    expect(
      documents.filter((document) => matches(filter, document)).map(({ id }) => id),
      filter,
    ).toEqual(found);
  }
});

test('a change makes on the device what it makes on the server', async () => {
  const { name } = await newCollection(t.api);
  const collection = server().collection(name);
  const target = fc.constantFrom('f', 'g', 'h.i', 'm.n');
  const each = fc.oneof(scalar, fc.record({ $each: fc.array(scalar, { maxLength: 3 }) }));
  const changes = fc.record(
    {
      f: value,
      $set: fc.dictionary(target, value, { maxKeys: 2 }),
      $unset: fc.array(target, { maxLength: 2 }),
      $increment: fc.dictionary(target, fc.constantFrom(1, -2.5), { maxKeys: 1 }),
      $append: fc.dictionary(target, each, { maxKeys: 1 }),
      $addUnique: fc.dictionary(target, each, { maxKeys: 1 }),
      $remove: fc.dictionary(target, each, { maxKeys: 1 }),
    },
    { requiredKeys: [] },
  );
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fields, changes, async (before, change) => {
      const created = await collection.create(before);
      const after = await collection.update(created.id, change).catch(() => undefined);
      // What the server refuses, the outbox reports.
      if (!after) return;
      taken += 1;
      expect({ ...applyChanges(created, change), updatedAt: after.updatedAt }).toEqual(after);
    }),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(100);
});
