import { sql } from '../../platform/db/sql.ts';
import type { Page } from '../../platform/http/answer.ts';
import { type Collection, countDocuments } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import {
  type CheckedQuery,
  compileAfter,
  compileFilter,
  compileSort,
  decodeCursor,
  encodeCursor,
  isUnfiltered,
  sortColumns,
} from '../query/index.ts';
import { completePosition } from './complete-position.ts';
import type { StoredDocument } from './document.ts';
import { countMatches, listPage } from './store.ts';

export type CountWish = 'default' | 'exact' | 'none';

export interface DocumentPage {
  readonly documents: StoredDocument[];
  readonly page: Page;
  /** How many the collection holds; undefined when no count was wanted. */
  readonly documentCount: number | undefined;
}

/** Filtered totals are exact up to here; counting every match of every list would cost far more than the list. */
const countedMatches = 1000;

export async function listDocuments(
  { db }: RequestContext,
  { number }: Collection,
  query: CheckedQuery,
  wish: CountWish,
): Promise<DocumentPage> {
  const filter = compileFilter(query.filter);
  const position =
    query.cursor === undefined
      ? undefined
      : await completePosition(db, number, query.sort, decodeCursor(query.sort, query.cursor));
  const [found, documentCount] = await Promise.all([
    listPage(db, number, {
      where: position ? sql`${filter} AND ${compileAfter(query.sort, position)}` : filter,
      orderBy: compileSort(query.sort),
      sortColumns: sortColumns(query.sort),
      limit: query.limit + 1,
      offset: query.offset,
    }),
    wish === 'none' ? undefined : countDocuments(db, number),
  ]);
  const rows = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  const last = rows.at(-1);
  const figures = { total: documentCount, totalIsFloor: false };
  if (wish !== 'none' && !isUnfiltered(query)) {
    const isWhole = !hasMore && query.cursor === undefined && (rows.length > 0 || query.offset === 0);
    const counted = isWhole
      ? query.offset + rows.length
      : await countMatches(db, number, filter, wish === 'exact' ? null : countedMatches + 1);
    figures.totalIsFloor = wish === 'default' && counted > countedMatches;
    figures.total = figures.totalIsFloor ? countedMatches : counted;
  }
  return {
    documents: rows.map(({ document }) => document),
    documentCount,
    page: {
      ...figures,
      limit: query.limit,
      offset: query.offset,
      hasMore,
      nextCursor:
        hasMore && last ? encodeCursor(query.sort, { id: last.document.id, values: last.sortValues }) : null,
    },
  };
}
