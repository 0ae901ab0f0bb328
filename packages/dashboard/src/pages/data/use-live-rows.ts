import type { AnyProject, Page, Query } from '@plinth/client';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { projectClient } from '../../api/project-client.ts';
import type { Row } from './columns.ts';

type Pages = InfiniteData<Page<Row>>;

/** A list whose documents can hold anything. */
interface Rows extends Pick<Query<AnyProject, Row, Row>, 'page' | 'follow'> {
  orderBy(...fields: string[]): Rows;
}

interface Wanted {
  readonly ref: string;
  readonly collection: string;
  readonly filter: string;
  readonly sort: string;
}

const pageSize = 100;
/** Of documents that were made meanwhile: more are not counted. */
const mostRemembered = 1000;

/**
 * The documents that pass a filter, page by page, kept right while they are looked at: what has changed glows, what was
 * deleted goes, and what is new waits to be asked for, so that nothing jumps.
 */
export function useLiveRows({ ref, collection, filter, sort }: Wanted) {
  const cache = useQueryClient();
  const key = useMemo(
    () => ['projects', ref, 'documents', collection, filter, sort],
    [ref, collection, filter, sort],
  );
  const [query, sorted] = useMemo(() => {
    const all: Rows = projectClient(ref).collection(collection).where(filter) as never;
    return [all, sort === '' ? all : all.orderBy(...sort.split(','))];
  }, [ref, collection, filter, sort]);
  const list = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      sorted.page({
        limit: pageSize,
        signal,
        ...(pageParam !== '' && { cursor: pageParam, count: 'none' as const }),
      }),
    getNextPageParam: ({ nextCursor, hasMore }) => (hasMore ? nextCursor : null),
  });
  const { connection } = projectClient(ref);
  const status = useSyncExternalStore(connection.subscribe, connection.get);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [created, setCreated] = useState<readonly string[]>([]);
  useEffect(() => {
    setCreated([]);
    return query.follow((change) => {
      if (change.event === 'missed') return void cache.invalidateQueries({ queryKey: key });
      if (change.event === 'created') {
        const { id } = change.document;
        return setCreated((ids) => [...ids.slice(1 - mostRemembered), id]);
      }
      const { id } = change.document;
      const isGone = change.event === 'deleted';
      cache.setQueryData<Pages>(
        key,
        (known) => known && withChange(known, isGone ? undefined : change.document, id),
      );
      setChanged(new Set([id]));
    });
  }, [query, key, cache]);
  const refresh = () => {
    setCreated([]);
    void cache.invalidateQueries({ queryKey: key });
  };
  // Those that somebody made here are shown already.
  const shown = new Set(list.data?.pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const fresh = created.filter((id) => !shown.has(id)).length;
  return { list, status, changed, fresh, refresh };
}

function withChange(known: Pages, document: Row | undefined, id: string): Pages {
  const pages = known.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((row) => {
      if (row.id !== id) return [row];
      return document ? [document] : [];
    }),
  }));
  return { ...known, pages };
}
