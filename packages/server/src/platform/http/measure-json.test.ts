import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasMoreNames, measureJson } from './measure-json.ts';

function measured(value: unknown): { names: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { names: 0, levels: 0 };
  const inner = Object.values(value).map(measured);
  return {
    names: inner.reduce(
      (sum, { names }) => sum + names,
      Array.isArray(value) ? 0 : Object.keys(value).length,
    ),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  };
}

test('names and levels are counted as they are read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, blanks) => {
      expect(measureJson(JSON.stringify(value, null, blanks))).toEqual(measured(value));
    }),
  );
});

test('brackets, colons and quotes in strings count as nothing', () => {
  expect(measureJson(String.raw`{"a:{[\"":"\\\":{[:","b":["\\"]}`)).toEqual({ names: 2, levels: 2 });
});

test('names that come again count once', () => {
  const text = JSON.stringify(
    Array.from({ length: 100 }, (_, n) => ({ x: n, y: `"z":${n}`, [`n${n}`]: 0 })),
    null,
    1,
  );
  expect(hasMoreNames(text, 101)).toBe(true);
  expect(hasMoreNames(text, 102)).toBe(false);
});
