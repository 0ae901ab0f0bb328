import type { Page } from '@plinth/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { Row } from './columns.ts';

/** Where a page begins: how to ask for it, and the number of its first row. */
export interface Place {
  readonly cursor: string;
  readonly start: number;
}

export type Pages = InfiniteData<Page<Row>, Place>;

export const beginning: Place = { cursor: '', start: 0 };

/** The places of all pages that were ever read, so that those that were let go can be read again. */
export class Places {
  /** Names the list. */
  readonly list: readonly string[];
  #known: Place[] = [beginning];
  #end: number | undefined;

  constructor(list: readonly string[]) {
    this.list = list;
  }

  learn(place: Place): void {
    const at = this.#known.findLastIndex(({ start }) => start < place.start) + 1;
    const there = this.#known[at];
    if (there?.start === place.start && there.cursor === place.cursor) return;
    // Another list from here on.
    if (there) this.#end = undefined;
    this.#known = [...this.#known.slice(0, at), place];
  }

  /** There are no more than so many rows. */
  finish(end: number): void {
    this.#end = end;
  }

  before(start: number): Place | undefined {
    return this.#known.findLast((place) => place.start < start);
  }

  /** The page that a row is on. */
  at(row: number): Place | undefined {
    return this.#known.findLast(({ start }) => start <= row);
  }

  /** So many rows there are at least. */
  get end(): number {
    return this.#end ?? (this.#known.at(-1)?.start ?? -1) + 1;
  }
}

/** A document as it is now, or without it. News that comes late is none. */
export function withChange(known: Pages, document: Row | undefined, id: string): Pages {
  const at = known.pages.findIndex(({ items }) => items.some((row) => row.id === id));
  const page = known.pages[at];
  if (!page) return known;
  const items = page.items.flatMap((row) => {
    if (row.id !== id) return [row];
    if (!document) return [];
    return [String(document.updatedAt) < String(row.updatedAt) ? row : document];
  });
  const gone = page.items.length - items.length;
  const pages = known.pages.with(at, { ...page, items });
  const [first = page] = pages;
  // Only the first page is counted.
  const counted = { ...first, total: first.total === undefined ? undefined : first.total - gone };
  return {
    pages: pages.with(0, counted),
    // Those that follow move up.
    pageParams: known.pageParams.map((place, n) =>
      n > at ? { ...place, start: place.start - gone } : place,
    ),
  };
}
