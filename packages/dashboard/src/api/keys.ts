import { queryOptions } from '@tanstack/react-query';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

/** A further API key of a project: what is known of it, never the key itself. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly addresses: readonly string[];
  readonly createdAt: string;
  readonly usedAt: string | null;
  readonly inBrowserAt: string | null;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_in_days: number | null;
  readonly addresses: readonly string[];
}

export const keysQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'keys'],
    queryFn: ({ signal }) => manage<Key[]>(`/projects/${ref}/keys`, { signal }),
  });

export const useMakeKey = (ref: string) =>
  useChange(
    (wish: NewKey) =>
      manage<Key & { readonly apiKey: string }>(`/projects/${ref}/keys`, { method: 'POST', body: wish }),
    keysQuery(ref).queryKey,
  );

export const useChangeKey = (ref: string, id: string) =>
  useChange(
    (changes: Partial<NewKey>) =>
      manage<Key>(`/projects/${ref}/keys/${id}`, { method: 'PATCH', body: changes }),
    keysQuery(ref).queryKey,
  );

export const useRevokeKey = (ref: string) =>
  useChange(
    (id: string) => manage<null>(`/projects/${ref}/keys/${id}`, { method: 'DELETE' }),
    keysQuery(ref).queryKey,
  );
