import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';

export interface CollectionRecord {
  readonly id: string;
  readonly name: string;
  /** Ids of its documents carry it. */
  readonly number: number;
  readonly documentCount: number;
}

const mostListed = 100;

export const collectionsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'collections'],
    queryFn: ({ signal }) =>
      manage<CollectionRecord[]>(`/p/${ref}/collections?limit=${mostListed}`, { signal }),
    // Apps make collections too: what is known is shown at once, and asked for again.
    staleTime: 0,
  });

export function useCreateCollection(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      manage<CollectionRecord>(`/p/${ref}/collections`, { method: 'POST', body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: collectionsQuery(ref).queryKey }),
  });
}
