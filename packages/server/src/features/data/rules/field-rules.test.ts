import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fields } from '../records/index.ts';
import { touchedBy } from './field-rules.ts';

const ruled = ['a', 'b.a', 'c.b.a'].map((field) => ({ field, path: field.split('.') }));

const key = fc.constantFrom('a', 'b', 'c');
const { fields } = fc.letrec<{ value: unknown; fields: Fields }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom(1, 2, null), tie('fields')),
  fields: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
}));

/** Every value that is no object, by its path. */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...leavesOf(inner, `${path}${name}.`)]));
}

test('what a change touches is what differs, leaf by leaf', () => {
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const [old, now] = [leavesOf(before), leavesOf(after)];
      const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
        (path) => old.has(path) !== now.has(path) || old.get(path) !== now.get(path),
      );
      const isIn = (path: string, field: string) => path.startsWith(`${field}.`);
      expect(touchedBy(ruled, { before, after })).toEqual({
        fields: ruled.filter(({ field }) => changed.some((path) => isIn(path, field))),
        isRestTouched: changed.some((path) => !ruled.some(({ field }) => isIn(path, field))),
      });
    }),
    { numRuns: 2000 },
  );
});
