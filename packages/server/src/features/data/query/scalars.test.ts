import { expect, test } from 'vitest';
import { readNumber } from './scalars.ts';

test('a text reads as a number by the grammar of JSON only', () => {
  expect(['10', '1e1', '-0.5', '0'].map(readNumber)).toEqual([10, 10, -0.5, 0]);
  for (const text of ['', ' 1', '01', '+1', '.5', '1.', '0x10', '1e400', 'NaN', 'Infinity', '१']) {
    expect(readNumber(text)).toBeUndefined();
  }
});
