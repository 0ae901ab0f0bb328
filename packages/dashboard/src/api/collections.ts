import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';

export interface CollectionRecord {
  readonly id: string;
  readonly name: string;
  /** Ids of its documents carry it. */
  readonly number: number;
  readonly documentCount: number;
}

/** As many as the service gives at a time, and as many pages as anybody could look through. */
const pageSize = 1000;
const mostPages = 10;

async function allCollections(ref: string, signal: AbortSignal): Promise<CollectionRecord[]> {
  const all: CollectionRecord[] = [];
  for (let page = 0; page < mostPages; page++) {
    const path = `/p/${ref}/collections?limit=${pageSize}&offset=${page * pageSize}`;
    const some = await manage<CollectionRecord[]>(path, { signal });
    all.push(...some);
    if (some.length < pageSize) break;
  }
  return all;
}

export const collectionsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'collections'],
    queryFn: ({ signal }) => allCollections(ref, signal),
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
