import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';

/** Something that its owner should look at. */
export interface Advice {
  readonly code: string;
  readonly severity: 'warning' | 'notice';
  /** A collection, a key, or the project. */
  readonly target: string;
  readonly message: string;
}

export const adviceQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'advice'],
    queryFn: ({ signal }) => manage<Advice[]>(`/projects/${ref}/advice`, { signal }),
  });

type IndexState = 'building' | 'ready' | 'failed';

export interface IndexWish {
  readonly kind: string;
  readonly fields: readonly string[];
}

/** A kind of list that was seen, and what would help it. */
export interface QueryShape {
  readonly filter: readonly string[];
  readonly sort: readonly string[];
  readonly calls: number;
  readonly p50Ms: number | null;
  readonly suggestion: IndexWish | null;
  readonly index: { readonly id: string; readonly kind: string; readonly state: IndexState } | null;
  readonly explanation: string;
}

interface IndexAdvice {
  readonly autoIndex: boolean;
  readonly documents: number;
  readonly shapes: readonly QueryShape[];
}

export interface IndexRecord extends IndexWish {
  readonly id: string;
  readonly state: IndexState;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly failure: string | null;
  readonly automatic: boolean;
  readonly note: string | null;
}

const buildingMs = 2000;

export const indexAdviceQuery = (ref: string, collection: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'index-advice', collection],
    queryFn: ({ signal }) => manage<IndexAdvice>(`${indexesOf(ref, collection)}/advice`, { signal }),
  });

/** Looked at again while one is being built. */
export const indexesQuery = (ref: string, collection: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'indexes', collection],
    queryFn: ({ signal }) => manage<IndexRecord[]>(indexesOf(ref, collection), { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'building') ? buildingMs : false,
  });

export function useBuildIndex(ref: string, collection: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: IndexWish) =>
      manage<IndexRecord>(indexesOf(ref, collection), { method: 'POST', body }),
    onSuccess: () =>
      Promise.all(
        [indexesQuery(ref, collection), indexAdviceQuery(ref, collection)].map(({ queryKey }) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

const indexesOf = (ref: string, collection: string) =>
  `/p/${ref}/collections/${encodeURIComponent(collection)}/indexes`;
