import { newId } from '../../packages/server/src/platform/ids.ts';

const statuses = ['draft', 'published', 'archived'];
const cities = ['London', 'Paris', 'Berlin', 'Madrid', 'Rome', 'Vienna', 'Prague', 'Oslo'];
const text = 'The quick brown fox jumps over the lazy dog, again and again, until the dog gets up.';

/** Article number n: about 300 bytes, the same in every run and for every contender. */
export function articleOf(n: number) {
  return {
    title: `Article number ${n} about nothing in particular`,
    status: statuses[n % statuses.length]!,
    views: (n * 7919) % 10_000,
    author: { name: 'Ada Lovelace', city: cities[n % cities.length]! },
    tags: ['news', `topic${n % 50}`],
    featured: n % 10 === 0,
    text,
  };
}

/** Ids of articles as the service gives them, oldest first. */
export function idsOf(count: number, collection: number): string[] {
  return Array.from({ length: count }, () => newId(collection)).toSorted();
}
