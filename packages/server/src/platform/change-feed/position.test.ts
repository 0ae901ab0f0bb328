import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBefore, isPosition, laterOf, positionOf } from './position.ts';

test('positions are in the order of their numbers', () => {
  const place = fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(2_000_000_000));
  const near = place.chain(([lsn, index]) =>
    fc.tuple(
      fc.constant([lsn, index] as const),
      fc.oneof(
        place,
        fc.constantFrom([lsn, index] as const, [lsn + 1n, 0] as const, [lsn, index + 1] as const),
      ),
    ),
  );
  fc.assert(
    fc.property(near, ([[lsnA, a], [lsnB, b]]) => {
      const [one, other] = [positionOf(lsnA, a), positionOf(lsnB, b)];
      expect(isBefore(one, other)).toBe(lsnA < lsnB || (lsnA === lsnB && a < b));
      expect([one, other]).toContain(laterOf(one, other));
    }),
    { numRuns: 2000 },
  );
});

test('a number is written in one way', () => {
  expect(['0-0', '12-3', '18446744073709551615-1'].map(isPosition)).toEqual([true, true, true]);
  expect(['012-3', '12-03', '-1-1', '12', '12-', '1e3-1'].map(isPosition)).toEqual(Array(6).fill(false));
});
