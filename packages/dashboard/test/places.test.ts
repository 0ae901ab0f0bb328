import { expect, test } from 'vitest';
import { beginning, type Pages, withChange } from '../src/pages/data/places.ts';

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const row = (id: string, second: number, title: string) => ({
  id,
  createdAt: at(0),
  updatedAt: at(second),
  title,
});
const pages: Pages = {
  pages: [{ items: [row('a', 5, 'Emma'), row('b', 5, 'Evelina')], total: 2 }] as never,
  pageParams: [beginning],
};
const titlesOf = ({ pages: [page] }: Pages) => page?.items.map(({ title }) => title);

test('a row becomes what it is now, and not what it was', () => {
  expect(titlesOf(withChange(pages, row('a', 6, 'Camilla'), 'a'))).toEqual(['Camilla', 'Evelina']);
  expect(titlesOf(withChange(pages, row('a', 4, 'Cecilia'), 'a'))).toEqual(['Emma', 'Evelina']);
});

test('a row that was deleted goes', () => {
  const left = withChange(pages, undefined, 'a');
  expect(titlesOf(left)).toEqual(['Evelina']);
  expect(left.pages[0]?.total).toBe(1);
});
