import type { AnyProject, Page, Query } from '@plinth/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { projectClient } from '../../api/project-client.ts';
import type { Row } from './columns.ts';
import { beginning, type Place } from './places.ts';

/** A list whose documents can hold anything. */
export interface RowQuery extends Pick<Query<AnyProject, Row, Row>, 'page' | 'follow' | 'each' | 'toString'> {
  orderBy(...fields: string[]): RowQuery;
}

export interface Wanted {
  readonly ref: string;
  readonly collection: string;
  readonly filter: string;
  readonly sort: string;
}

const pageSize = 100;

export function rowQuery({ ref, collection, filter, sort }: Wanted): { all: RowQuery; sorted: RowQuery } {
  const all = projectClient(ref).collection(collection).where(filter) as unknown as RowQuery;
  return { all, sorted: sort === '' ? all : all.orderBy(...sort.split(',')) };
}

/** Names a list, wherever in it somebody is. */
export const listKey = ({ ref, collection, filter, sort }: Wanted): string[] => [
  'projects',
  ref,
  'documents',
  collection,
  filter,
  sort,
];

/** One page. Only the first is counted. */
export const readPage = (sorted: RowQuery, { cursor }: Place, signal: AbortSignal): Promise<Page<Row>> =>
  sorted.page({ limit: pageSize, signal, ...(cursor !== '' && { cursor, count: 'none' as const }) });

export const placeAfter = (
  { nextCursor, hasMore, items }: Page<Row>,
  _pages: readonly Page<Row>[],
  { start }: Place,
): Place | null =>
  hasMore && nextCursor !== null ? { cursor: nextCursor, start: start + items.length } : null;

/** Begins to read a list that somebody is about to open. */
export const beginningOf = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: [...listKey(wanted), 'from 0'],
    initialPageParam: beginning,
    queryFn: ({ pageParam, signal }) => readPage(rowQuery(wanted).sorted, pageParam, signal),
    getNextPageParam: placeAfter,
  });
