import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Row } from './columns.ts';
import { beginning, type Pages, type Place, Places, withChange } from './places.ts';
import { listKey, placeAfter, type RowQuery, readPage, rowQuery, type Wanted } from './row-query.ts';

/** Pages that are kept: those further away are asked for again. */
const mostPages = 12;
/** Pages from before a jump are soon let go. */
const keptMs = 30_000;
/** The next page is asked for before its first row can be seen. */
const rowsAhead = 40;
/** Of documents that were made meanwhile: more are not counted. */
const mostRemembered = 1000;

/** Its type alone would not say what its places are. */
const withPlaces = (pages: Pages): Pages => pages;

/**
 * The documents that pass a filter, kept right while they are looked at: what has changed glows, what was deleted goes, and
 * what is new waits to be asked for, so that nothing jumps. Only pages around what is seen are kept.
 */
export function useLiveRows({ ref, collection, filter, sort }: Wanted) {
  const cache = useQueryClient();
  const base = useMemo(() => listKey({ ref, collection, filter, sort }), [ref, collection, filter, sort]);
  const { all, sorted } = useMemo(
    () => rowQuery({ ref, collection, filter, sort }),
    [ref, collection, filter, sort],
  );
  const places = useMemo(() => new Places(base), [base]);
  const [chosen, setChosen] = useState<{
    readonly of: Places;
    readonly place: Place;
    readonly jump: number;
  }>();
  // A place means something in its own list only.
  const anchor = chosen?.of === places ? chosen.place : beginning;
  const jump = chosen?.of === places ? chosen.jump : 0;
  const setAnchor = useCallback(
    (place: Place) => setChosen((now) => ({ of: places, place, jump: (now?.jump ?? 0) + 1 })),
    [places],
  );
  const list = useInfiniteQuery({
    queryKey: [...base, `from ${jump}`],
    initialPageParam: anchor,
    queryFn: ({ pageParam, signal }) => {
      places.learn(pageParam);
      return readPage(sorted, pageParam, signal);
    },
    getNextPageParam: placeAfter,
    getPreviousPageParam: (_page, _pages, { start }) => places.before(start) ?? null,
    maxPages: mostPages,
    gcTime: keptMs,
    select: withPlaces,
    placeholderData: keepPreviousData,
  });
  const { data, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage, isFetching } = list;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const start = data?.pageParams[0]?.start ?? 0;
  const end = start + rows.length;
  useEffect(() => {
    if (list.isSuccess && !list.isPlaceholderData && !hasNextPage) places.finish(end);
  }, [list.isSuccess, list.isPlaceholderData, hasNextPage, places, end]);
  /** Asks for what is about to be seen. */
  const see = useCallback(
    (from: number, to: number) => {
      if (isFetching) return;
      const isFar = to < start || from > end;
      const place = isFar ? places.at(from) : undefined;
      if (place && (place.start < start || place.start >= end)) setAnchor(place);
      else if (hasNextPage && to > end - rowsAhead) void fetchNextPage();
      else if (hasPreviousPage && from < start + rowsAhead) void fetchPreviousPage();
    },
    [
      isFetching,
      start,
      end,
      anchor,
      places,
      setAnchor,
      hasNextPage,
      hasPreviousPage,
      fetchNextPage,
      fetchPreviousPage,
    ],
  );
  const put = useCallback(
    (id: string, row: Row | undefined) =>
      void cache.setQueriesData<Pages>({ queryKey: base }, (known) => known && withChange(known, row, id)),
    [cache, base],
  );
  const { changed, created, setCreated } = useChanges(all, base, put);
  const [turn, setTurn] = useState(0);
  /** From the beginning. */
  const refresh = useCallback(() => {
    setCreated([]);
    setTurn((turns) => turns + 1);
    if (start > 0) setAnchor(beginning);
    else void cache.invalidateQueries({ queryKey: base });
  }, [cache, base, start, setCreated, setAnchor]);
  // Those that somebody made here are shown already.
  const fresh = useMemo(() => {
    const shown = new Set(rows.map(({ id }) => id));
    const newest = sort === '' && start === 0 ? (rows[0]?.id ?? '') : '';
    return created.filter((id) => !shown.has(id) && id > newest).length;
  }, [rows, start, sort, created]);
  // While a jump is under way, the list is as long as it was.
  const reach = hasNextPage || list.isPlaceholderData ? Math.max(end, places.end) : end;
  const first = useTotal(data, base);
  return { list, sorted, rows, start, reach, turn, total: first, changed, fresh, refresh, see, put };
}

interface Total {
  readonly total: number;
  readonly isFloor: boolean;
}

/** Only the first page is counted, and it may be gone by now. */
function useTotal(data: Pages | undefined, base: readonly string[]): Total | undefined {
  const [known, setKnown] = useState<{ readonly base: readonly string[]; readonly total: Total }>();
  const page = data?.pages[0];
  const counted = page?.total === undefined ? undefined : { total: page.total, isFloor: page.totalIsFloor };
  const isNews = counted?.total !== known?.total.total || counted?.isFloor !== known?.total.isFloor;
  if (counted && (isNews || known?.base !== base)) setKnown({ base, total: counted });
  return counted ?? (known?.base === base ? known.total : undefined);
}

function useChanges(all: RowQuery, base: readonly string[], put: (id: string, row: Row | undefined) => void) {
  const cache = useQueryClient();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [created, setCreated] = useState<readonly string[]>([]);
  useEffect(() => {
    setCreated((ids) => (ids.length === 0 ? ids : []));
    const readAgain = () => void cache.invalidateQueries({ queryKey: base });
    let hasBegun = false;
    const onStatus = (status: string) => {
      // What changed after the list was read and before it was followed is in no event.
      if (status === 'live' && !hasBegun) readAgain();
      hasBegun ||= status === 'live';
    };
    return all.follow(
      (change) => {
        if (change.event === 'missed') return readAgain();
        const { id } = change.document;
        if (change.event === 'created') return setCreated((ids) => [...ids.slice(1 - mostRemembered), id]);
        put(id, change.event === 'deleted' ? undefined : change.document);
        setChanged(new Set([id]));
      },
      { onStatus },
    );
  }, [all, base, cache, put]);
  return { changed, created, setCreated };
}
