import { invalidQuery, type PageInfo } from '../../../calls/index.ts';
import { type CheckedFilter, type CheckedQuery, isEverything } from './checked-query.ts';
import { findFewLinks } from './few-links.ts';
import type { ListSource } from './list-source.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import { completePosition, matchingSql, type ReadPage, readListPage } from './read-page.ts';

export type CountWish = 'default' | 'exact' | 'none';

/** Filtered totals are exact up to here; counting every match of every list would cost far more than the list. */
const countedMatches = 1000;

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
  const upTo = wish === 'exact' ? null : countedMatches + 1;
  const [found, all] = await Promise.all([
    readListPage(query, { filter, after, upTo: isCounted ? upTo : undefined }, source),
    wish === 'none' ? undefined : source.countAll(),
  ]);
  const counted = isCounted
    ? (knownCount(query, found) ?? (await source.count({ matching: matchingSql(filter), upTo })))
    : undefined;
  const totalIsFloor = wish === 'default' && (counted ?? 0) > countedMatches;
  const rows = found.rows.slice(0, query.limit);
  const last = rows.at(-1);
  const hasMore = found.isCut || found.rows.length > query.limit;
  return {
    items: rows.map(({ item }) => item),
    all,
    page: {
      total: totalIsFloor ? countedMatches : (counted ?? all),
      totalIsFloor,
      limit: query.limit,
      offset: query.offset,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor(query.sort, { id: last.id, values: last.sortValues }) : null,
    },
  };
}

/** How many match, if that came along with the page or the page shows the end of what matches. */
function knownCount({ cursor, offset, limit }: CheckedQuery, { rows, isCut, count }: ReadPage<unknown>) {
  const isLast = !isCut && rows.length <= limit && cursor === undefined && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : count;
}

/** What Prefer asks of the total. It has no other use, so whatever else it says is a mistake. */
export function readCountWish(headers: Readonly<Record<string, string | string[] | undefined>>): CountWish {
  const prefer = String(headers.prefer ?? '').trim();
  if (prefer === '') return 'default';
  const wish = /^count=(exact|none)$/.exec(prefer)?.[1];
  if (wish === 'exact' || wish === 'none') return wish;
  throw invalidQuery('Prefer', 'The header is "count=exact" or "count=none".');
}
