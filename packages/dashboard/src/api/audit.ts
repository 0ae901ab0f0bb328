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
  readonly accountId: string | null;
  readonly tokenId: string | null;
  /** How a call to the project itself was answered. */
  readonly status: number | null;
  readonly address: string;
  readonly requestId: string;
}

/** Which entries are looked for. */
export interface AuditFilter {
  readonly action?: string;
  /** The id of an account. */
  readonly member?: string;
  /** Days, as `2026-11-17`: the first and the last. */
  readonly from?: string;
  readonly to?: string;
}

const dayMs = 24 * 3_600_000;

/** Days begin at midnight where the person is. */
function queryOf({ action, member, from, to }: AuditFilter): string {
  const given = new URLSearchParams({
    ...(action !== undefined && { action }),
    ...(member !== undefined && { account: member }),
    ...(from !== undefined && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to !== undefined && { to: new Date(Date.parse(`${to}T00:00`) + dayMs).toISOString() }),
  });
  return given.size === 0 ? '' : `&${given.toString()}`;
}

const pages = (key: readonly string[], path: string, query = '') =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      listManaged<AuditEntry[]>(`${path}?limit=50${pageParam === '' ? '' : `&cursor=${pageParam}`}${query}`, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });

/** What was done with a project, the newest first. */
export const projectAuditQuery = (ref: string, filter: AuditFilter = {}) =>
  pages(['projects', ref, 'audit', queryOf(filter)], `/projects/${ref}/audit`, queryOf(filter));

/** What was done with the account that is signed in. */
export const accountAuditQuery = pages(['account', 'audit'], '/audit');
