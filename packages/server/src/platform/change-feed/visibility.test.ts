import { expect, test } from 'vitest';
import { readVisibility } from './visibility.ts';

test('what was committed before is seen; what ran or came later is not', () => {
  const { sees } = readVisibility('100:110:103,105');
  expect([99, 100, 102, 104, 109].map(sees)).toEqual([true, true, true, true, true]);
  expect([103, 105, 110, 111].map(sees)).toEqual([false, false, false, false]);
});

test('also where the clock of transactions has gone round', () => {
  const round = 2n ** 32n;
  const { sees } = readVisibility(`${round - 3n}:${round + 4n}:${round - 2n},${round + 1n}`);
  expect([2 ** 32 - 5, 2 ** 32 - 3, 2 ** 32 - 1, 0, 3].map(sees)).toEqual([true, true, true, true, true]);
  expect([2 ** 32 - 2, 1, 4, 5].map(sees)).toEqual([false, false, false, false]);
  expect(readVisibility('7:7:').sees(6)).toBe(true);
  expect(readVisibility('7:7:').sees(7)).toBe(false);
});
