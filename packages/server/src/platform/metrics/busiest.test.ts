import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Busiest } from './busiest.ts';
import { Registry } from './registry.ts';
import { render } from './render.ts';
import { SpaceSaving } from './space-saving.ts';

const entries = 10;
/** Few names that come often, many that come seldom. */
const name = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }).map((n) => `large ${n}`) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 300 }).map((n) => `small ${n}`) },
);
const additions = fc.array(fc.tuple(name, fc.integer({ min: 1, max: 50 })), { maxLength: 600 });

test('compared with an exact count, no name has less than it had, nor more than its share of the sum too much', () => {
  fc.assert(
    fc.property(additions, (added) => {
      const sketch = new SpaceSaving(entries);
      const exact = new Map<string, number>();
      for (const [one, amount] of added) {
        sketch.add(one, amount);
        exact.set(one, (exact.get(one) ?? 0) + amount);
      }
      const total = added.reduce((sum, [, amount]) => sum + amount, 0);
      const found = new Map(Array.from(sketch.entries(), (entry) => [entry.name, { ...entry }]));
      expect(sketch.total).toBe(total);
      expect(found.size).toBe(Math.min(entries, exact.size));
      for (const [one, { amount, error }] of found) {
        const had = exact.get(one) ?? 0;
        expect(amount).toBeGreaterThanOrEqual(had);
        expect(amount - error).toBeLessThanOrEqual(had);
        expect(error).toBeLessThanOrEqual(total / entries);
      }
      for (const [one, had] of exact) if (had > total / entries) expect(found.has(one)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('the twenty busiest of 5,000 projects are shown, the others as one, and the sum is right', async () => {
  let now = 0;
  const registry = new Registry();
  const busiest = new Busiest(
    registry,
    { name: 'plinth_calls', help: 'Calls.', label: 'project' },
    () => now,
  );
  // Project n of the first 20 makes 1,000 × (20 - n) calls, all others one each, in between.
  for (let n = 0; n < 5000; n += 1) {
    busiest.add(`small${n}`, 1);
    for (let large = 0; large < 20; large += 1) busiest.add(`large${large}`, (20 - large) / 5);
  }
  now = 50_000;
  const lines = render(await registry.families(), 'text')
    .split('\n')
    .filter((line) => line.startsWith('plinth_calls{'));
  expect(lines).toHaveLength(21);
  expect(lines[0]).toMatch(/^plinth_calls\{project="large0"\} /);
  const values = lines.map((line) => Number(line.split(' ')[1]));
  expect(values[0]).toBeCloseTo(20_000 / 50, 0);
  const total = values.reduce((sum, value) => sum + value, 0);
  expect(total).toBeCloseTo((5000 + 1000 * 210) / 50, 0);
});

test('who has become quiet leaves after two minutes', () => {
  let now = 0;
  const busiest = new Busiest(
    new Registry(),
    { name: 'plinth_calls', help: 'Calls.', label: 'project' },
    () => now,
  );
  busiest.add('early', 60);
  now = 60_000;
  expect(busiest.perSecond().get('early')).toBe(1);
  busiest.add('late', 60);
  now = 119_999;
  expect([...busiest.perSecond().keys()]).toEqual(['early', 'late', 'other']);
  now = 120_000;
  expect([...busiest.perSecond().keys()]).toEqual(['late', 'other']);
  now = 600_000;
  expect([...busiest.perSecond().keys()]).toEqual(['other']);
});
