import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText, compareValues } from './order.ts';

test('text compares by code point, as its UTF-8 bytes do', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 }).filter((string) => string.isWellFormed());
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
});

test('values sort by type, then by value', () => {
  const sorted = [null, '', 'a', 'é', '😀', -1, 0, 1.5, false, true, []];
  for (const [at, value] of sorted.entries()) {
    for (const [other, compared] of sorted.entries()) {
      expect(Math.sign(compareValues(value, compared))).toBe(Math.sign(at - other));
    }
  }
  expect(compareValues(undefined, null)).toBe(0);
  expect(compareValues({ a: 1 }, [2])).toBe(0);
});
