import { expect, test } from 'vitest';
import { plainScope } from '../../../../test/support/plain-scope.ts';
import { matches, readQuery, valueAt } from './index.ts';

const document = {
  id: '01a1dce6-83a9-8000-8004-0009eb07a999',
  createdAt: Date.UTC(2026, 0, 2),
  updatedAt: Date.UTC(2026, 0, 3),
  data: {
    title: 'Straße',
    views: 10,
    tags: ['News', 5],
    address: { city: 'Lagos' },
    draft: false,
    note: null,
  },
};

test.each([
  ['title=Straße', true],
  ['title=straße', false],
  ['views=10', true],
  ['views=1e1', true],
  ['views__gt=9&views__lt=11', true],
  ['title__gt=5', false],
  ['tags=News', true],
  ['tags=5', true],
  ['tags__contains=news', true],
  ['tags__contains=new', false],
  ['title__contains=RASS', false],
  ['title__contains=RAß', true],
  ['address.city__startswith=la', true],
  ['address.city.zip__isnull=true', true],
  ['draft=false', true],
  ['note__isnull=true', true],
  ['missing__ne=1', true],
  ['views__in=1,10', true],
  ['views__notin=1,10', false],
  ['[or]views=1&[or]draft=false', true],
  ['[or:a]views=1&[or:a]draft=true&[or:b]views=10', false],
  ['title__or__address.city__contains=lag', true],
  ['createdAt=2026-01-02', true],
  ['createdAt__gt=2026-01-02T01:00:00%2B02:00', true],
  ['updatedAt__lte=2026-01-02', false],
])('%s: %s', async (query, expected) => {
  const { filter } = await readQuery(query, plainScope);
  expect(matches(filter, document)).toBe(expected);
});

test('an inherited property is no field', () => {
  expect(valueAt({ kind: 'json', column: 'data', path: ['toString'] }, document)).toBeUndefined();
});
