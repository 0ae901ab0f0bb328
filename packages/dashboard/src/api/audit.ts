import { infiniteQueryOptions } from '@tanstack/react-query';
import { listManaged } from './management.ts';

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  /** The operation, as the API reference calls it. */
  readonly action: string;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly account: string | null;
  readonly tokenId: string | null;
  /** How a call to the project itself was answered. */
  readonly status: number | null;
  readonly address: string;
  readonly requestId: string;
}

const pages = (key: readonly string[], path: string) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      listManaged<AuditEntry[]>(`${path}?limit=50${pageParam === '' ? '' : `&cursor=${pageParam}`}`, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });

/** What was done with a project, the newest first. */
export const projectAuditQuery = (ref: string) => pages(['projects', ref, 'audit'], `/projects/${ref}/audit`);

/** What was done with the account that is signed in. */
export const accountAuditQuery = pages(['account', 'audit'], '/audit');
