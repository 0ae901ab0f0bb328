import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';
import { projectClient } from './project-client.ts';

const filesOnPage = 60;

export const filesKey = (ref: string) => ['projects', ref, 'files'] as const;

/** The files of a folder, and the folders in it. */
export const folderQuery = (ref: string, path: string) =>
  infiniteQueryOptions({
    queryKey: [...filesKey(ref), 'folder', path],
    queryFn: ({ pageParam, signal }) =>
      projectClient(ref).files.list(
        { ...(path && { path }), limit: filesOnPage, offset: pageParam },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, pages) =>
      hasMore ? pages.reduce((count, { items }) => count + items.length, 0) : undefined,
  });

export const fileQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: [...filesKey(ref), 'one', id],
    queryFn: ({ signal }) => projectClient(ref).files.get(id, { signal }),
  });

/** What a project stores, in bytes; null is without limit. */
export interface StorageInfo {
  readonly used: number;
  readonly limit: number | null;
  readonly available: number | null;
  readonly files: number;
  readonly byType: Readonly<Record<string, { readonly files: number; readonly bytes: number }>>;
}

export const storageQuery = (ref: string) =>
  queryOptions({
    queryKey: [...filesKey(ref), 'usage'],
    queryFn: ({ signal }) => manage<StorageInfo>(`/p/${ref}/storage/info`, { signal }),
  });

export function useDeleteFile(ref: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => projectClient(ref).files.delete(id),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [...filesKey(ref), 'folder'] }),
        queries.invalidateQueries({ queryKey: storageQuery(ref).queryKey }),
      ]),
  });
}

/** An address that is good for some seconds. */
export const useSignFile = (ref: string, id: string) =>
  useMutation({
    mutationFn: (expiresIn: number) => projectClient(ref).files.signedUrl(id, { expiresIn }),
  });
