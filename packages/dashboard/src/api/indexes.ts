import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf, type Place, pathOf } from './collection.ts';
import { manage } from './management.ts';

export type IndexKind = 'sort' | 'search' | 'unique';

export interface Index {
  readonly id: string;
  readonly kind: IndexKind | 'statistics';
  readonly fields: readonly string[];
  readonly state: 'building' | 'ready' | 'failed';
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly failure: string | null;
  readonly automatic: boolean;
  readonly reason: string | null;
  readonly note: string | null;
  /** Null where PostgreSQL keeps none. */
  readonly bytes: number | null;
  readonly scans: number | null;
  readonly usedAt: string | null;
  readonly createdAt: string;
  readonly readyAt: string | null;
}

export interface NewIndex {
  readonly kind: IndexKind;
  readonly fields: readonly string[];
}

/** A kind of list that was seen, and what would help it. */
export interface SeenList {
  readonly filter: readonly string[];
  readonly sort: readonly string[];
  readonly calls: number;
  readonly p50Ms: number | null;
  readonly suggestion: NewIndex | null;
  readonly index: { readonly id: string; readonly state: string } | null;
  readonly explanation: string;
}

interface Advice {
  readonly autoIndex: boolean;
  readonly documents: number;
  readonly shapes: readonly SeenList[];
}

const lookEveryMs = 1000;

export const indexesQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'indexes', 'list'),
    queryFn: ({ signal }) => manage<readonly Index[]>(`${pathOf(place)}/indexes`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'building') ? lookEveryMs : false,
  });

export const adviceQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'indexes', 'advice'),
    queryFn: ({ signal }) => manage<Advice>(`${pathOf(place)}/indexes/advice`, { signal }),
    // Figures change slowly, but those of a list whose index is being built are waited for.
    refetchInterval: ({ state: { data } }) =>
      data?.shapes.some(({ index }) => index?.state === 'building') ? lookEveryMs : false,
  });

export function useBuildIndex(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (index: NewIndex) =>
      manage<Index>(`${pathOf(place)}/indexes`, { method: 'POST', body: index }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(place, 'indexes') }),
  });
}

export function useDropIndex(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => manage<unknown>(`${pathOf(place)}/indexes/${id}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(place, 'indexes') }),
  });
}
