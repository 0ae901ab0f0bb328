import { expect, test } from 'vitest';
import { collectionOfId, isId, lowestIdOf, newId, timeOfId } from './ids.ts';

test('an id says when it was made and in which collection', () => {
  for (const collection of [0, 1, 2, 4095, 4096, 123_456, 0xffffff]) {
    const before = Date.now();
    const id = newId(collection);
    expect(isId(id)).toBe(true);
    expect(collectionOfId(id)).toBe(collection);
    expect(timeOfId(id)).toBeGreaterThanOrEqual(before);
    expect(id >= lowestIdOf(timeOfId(id)) && id < lowestIdOf(timeOfId(id) + 1)).toBe(true);
  }
});

test('ids of one process rise, also many in a millisecond', () => {
  const ids = Array.from({ length: 50_000 }, () => newId(7));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('only ids as the service writes them are ids', () => {
  const id = newId(3);
  for (const other of [
    id.toUpperCase(),
    `${id} `,
    `${id.slice(0, 14)}4${id.slice(15)}`,
    '',
    'x',
    id.replaceAll('-', ''),
  ]) {
    expect(isId(other)).toBe(false);
  }
});
