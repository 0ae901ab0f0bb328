import { expect, test } from 'vitest';
import { isEach, operandValues, PatchError, parseOperations, touchedByOperators } from './patch.ts';

test('operations come in the order written, with their paths', () => {
  const body = { title: 'New', $increment: { 'stats.views': 1, likes: 2 }, $unset: { 'a\\.b': true } };
  expect([...parseOperations(body)]).toEqual([
    { operator: '$increment', field: 'stats.views', path: ['stats', 'views'], operand: 1 },
    { operator: '$increment', field: 'likes', path: ['likes'], operand: 2 },
    { operator: '$unset', field: 'a\\.b', path: ['a.b'], operand: true },
  ]);
});

test('$unset takes a list of fields, and touches them', () => {
  const body = { $unset: ['meta.lang', 'a\\.b'] };
  expect(Array.from(parseOperations(body), ({ path }) => path)).toEqual([['meta', 'lang'], ['a.b']]);
  expect(Array.from(touchedByOperators(body), ({ path }) => path)).toEqual([['meta', 'lang'], ['a.b']]);
});

test.each([
  [{ $unset: ['a', 1] }, 'or a list of fields'],
  [{ $set: ['a'] }, 'takes an object of fields'],
  [{ $push: { tags: 1 } }, 'is not an operator'],
  [{ $append: ['tags'] }, 'takes an object of fields'],
  [{ $append: { '': 1 } }, 'A field name is empty.'],
  [{ $append: { __proto__x: 1, 'a.constructor': 1 } }, 'No document can have a field of that name.'],
])('%j is refused', (body, problem) => {
  const read = () => [...parseOperations(body)];
  expect(read).toThrow(PatchError);
  expect(read).toThrow(problem);
});

test('what is malformed touches nothing, and hides nothing else', () => {
  const body = { title: 'New', $append: { '': 1, tags: 2 }, $unset: null, $unknown: { secret: 3 } };
  expect([...touchedByOperators(body)]).toEqual([
    { operator: '$append', path: ['tags'], operand: 2 },
    { operator: '$unknown', path: ['secret'], operand: 3 },
  ]);
});

test('$each stands for several values, and stands alone', () => {
  const append = (operand: unknown) =>
    operandValues({ operator: '$append', field: 'tags', path: ['tags'], operand });
  expect(append('a')).toEqual(['a']);
  expect(append(['a'])).toEqual([['a']]);
  expect(append({ $each: ['a', 'b'] })).toEqual(['a', 'b']);
  expect(append({ each: 1 })).toEqual([{ each: 1 }]);
  expect(() => append({ $each: 'a' })).toThrow(PatchError);
  expect(() => append({ $each: [], more: 1 })).toThrow(PatchError);
  expect(isEach({ $each: [] })).toBe(true);
  expect(isEach(null)).toBe(false);
});
