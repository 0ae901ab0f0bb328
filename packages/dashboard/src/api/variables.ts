import { queryOptions } from '@tanstack/react-query';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

/** The keys of a project's variables. Nobody can read the values. */
export const variablesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'env'],
    queryFn: ({ signal }) => manage<string[]>(`/projects/${ref}/env`, { signal }),
  });

export const useSetVariable = (ref: string) =>
  useChange(
    ({ key, value }: { readonly key: string; readonly value: string }) =>
      manage<{ readonly key: string }>(`/projects/${ref}/env/${encodeURIComponent(key)}`, {
        method: 'PUT',
        body: { value },
      }),
    variablesQuery(ref).queryKey,
  );

export const useDeleteVariable = (ref: string) =>
  useChange(
    (key: string) => manage<null>(`/projects/${ref}/env/${encodeURIComponent(key)}`, { method: 'DELETE' }),
    variablesQuery(ref).queryKey,
  );
