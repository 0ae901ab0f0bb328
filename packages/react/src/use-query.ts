import type { Page, PageOptions, PlinthError, ProjectTypes, Query } from '@plinth/client';
import { useCallback, useEffect, useState } from 'react';

export interface QueryResult<Item> extends Partial<Page<Item>> {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly items: readonly Item[];
  readonly error?: PlinthError;
  /** Reads the page again; the current data stays until the response arrives. */
  readonly reload: () => void;
}

type State<Item> = Omit<QueryResult<Item>, 'reload'>;

const loading: State<never> = { status: 'loading', items: [] };

/** One page of a query, read once: for data that does not need to be live. */
export function useQuery<P extends ProjectTypes, D extends object, Item>(
  query: Query<P, D, Item> | undefined | null | false,
  options: Pick<PageOptions, 'cursor' | 'limit' | 'offset' | 'count'> = {},
): QueryResult<Item> {
  const key = query ? `${query.collection}?${query.toString()}#${JSON.stringify(options)}` : '';
  const [turn, setTurn] = useState(0);
  const [{ of, state }, setState] = useState<{ of: string; state: State<Item> }>({ of: '', state: loading });
  useEffect(() => {
    if (!query) return undefined;
    const stopper = new AbortController();
    query.page({ ...options, signal: stopper.signal }).then(
      (page) => setState({ of: key, state: { status: 'ready', ...page } }),
      (error: PlinthError) => {
        if (!stopper.signal.aborted)
          setState((before) => ({
            of: key,
            state: { status: 'failed', items: before.of === key ? before.state.items : [], error },
          }));
      },
    );
    return () => stopper.abort();
  }, [query && query.door, key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  // What was read for another query is not shown for this one.
  return { ...(of === key ? state : loading), reload };
}
