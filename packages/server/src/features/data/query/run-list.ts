import { invalidQuery, type PageInfo } from '../../../calls/index.ts';
import { type CheckedFilter, type CheckedQuery, isEverything } from './checked-query.ts';
import { findFewLinks } from './few-links.ts';
import type { ListSource } from './list-source.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import { completePosition, matchingSql, type ReadPage, readListPage } from './read-page.ts';
import { countedUpTo } from './totals.ts';

export type CountWish = 'default' | 'exact' | 'none';

/** Runs a list for a caller who may read what `readable` lets through. */
export async function runList<Item>(
  query: CheckedQuery,
  readable: CheckedFilter,
  source: ListSource<Item>,
  wish: CountWish,
): Promise<{ items: Item[]; page: PageInfo; all: number | undefined }> {
  const asked: CheckedFilter = { kind: 'and', of: [readable, query.filter] };
  const filter = source.findLinked ? await findFewLinks(asked, source.findLinked) : asked;
  const after =
    query.cursor === undefined
      ? undefined
      : await completePosition(source, readable, query.sort, decodeCursor(query.sort, query.cursor));
  const isCounted = wish !== 'none' && !isEverything(filter);
  const upTo = wish === 'exact' ? Number.POSITIVE_INFINITY : countedUpTo(filter, source.indexes ?? []);
  const [found, all] = await Promise.all([
    readListPage(query, { filter, after, upTo: isCounted ? upTo : undefined }, source),
    wish === 'none' ? undefined : source.countAll(),
  ]);
  const matches = isCounted ? await countOf(query, found, { filter, source, upTo }) : undefined;
  const rows = found.rows.slice(0, query.limit);
  const last = rows.at(-1);
  const hasMore = found.isCut || found.rows.length > query.limit;
  return {
    items: rows.map(({ item }) => item),
    all,
    page: {
      total: matches ? matches.total : all,
      totalIsFloor: matches?.isFloor ?? false,
      limit: query.limit,
      offset: query.offset,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor(query.sort, { id: last.id, values: last.sortValues }) : null,
    },
  };
}

/**
 * How many match. A page that shows the end of what matches knows, and one that shows more than is counted anyway knows
 * enough.
 */
async function countOf<Item>(
  { cursor, offset, limit }: CheckedQuery,
  { rows, isCut, count }: ReadPage<Item>,
  { filter, source, upTo }: { filter: CheckedFilter; source: ListSource<Item>; upTo: number },
): Promise<{ total: number; isFloor: boolean }> {
  const seen = rows.length === 0 ? 0 : offset + rows.length;
  const isFromStart = cursor === undefined;
  const isLast = isFromStart && !isCut && rows.length <= limit && (rows.length > 0 || offset === 0);
  if (isLast) return { total: seen, isFloor: false };
  if (isFromStart && seen > upTo) return { total: Math.max(upTo, seen - 1), isFloor: true };
  const most = Number.isFinite(upTo) ? upTo + 1 : null;
  const found = count ?? (await source.count({ matching: matchingSql(filter), upTo: most }));
  return { total: Math.min(found, upTo), isFloor: found > upTo };
}

/** What a caller would like of a list. */
export interface Preferences {
  readonly count: CountWish;
  /** Also which version each document is. */
  readonly versions: boolean;
}

/** What Prefer asks for. It has no other use, so whatever else it says is a mistake. */
export function readPreferences(
  { prefer = '' }: Readonly<Record<string, string | undefined>>,
  { hasVersions }: { hasVersions: boolean },
): Preferences {
  const wishes = prefer
    .split(',')
    .map((wish) => wish.trim())
    .filter((wish) => wish !== '');
  const counts = wishes.flatMap((wish) => countWishes.filter((count) => wish === `count=${count}`));
  const versions = hasVersions && wishes.includes('versions');
  if (counts.length > 1 || wishes.length > counts.length + Number(versions)) {
    const known = hasVersions ? '"count=exact", "count=none" or "versions"' : '"count=exact" or "count=none"';
    throw invalidQuery('Prefer', `The header must be ${known}.`);
  }
  return { count: counts[0] ?? 'default', versions };
}

const countWishes = ['exact', 'none'] as const;
