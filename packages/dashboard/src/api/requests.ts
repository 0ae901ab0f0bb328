import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { listManaged, manage } from './management.ts';

type Credential = 'none' | 'user' | 'apiKey' | 'account';

/** A call of the project, as its log keeps it. */
export interface RequestRecord {
  readonly id: string;
  readonly givenId: string | null;
  readonly at: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly credential: Credential;
  readonly userId: string | null;
  readonly accountId: string | null;
  readonly address: string | null;
  readonly path: string | null;
  readonly query: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly weight: number;
}

export type StatusClass = 'ok' | 'failed' | 'refused' | 'broken';
/** `apps`: everyone but the dashboard itself. */
export type Caller = 'apps' | 'anyone' | Credential;

/** Which calls are looked for. */
export interface RequestFilter {
  readonly status?: StatusClass;
  readonly who?: Caller;
  readonly route?: string;
  readonly user?: string;
  readonly code?: string;
  /** In milliseconds. */
  readonly slower?: number;
  readonly from?: string;
  readonly to?: string;
}

export const statusRanges: Readonly<Record<StatusClass, readonly [number, number]>> = {
  ok: [100, 399],
  failed: [400, 599],
  refused: [400, 499],
  broken: [500, 599],
};

/** What the service filters by, in the list and as calls come. */
export function filterQuery({ status, who = 'apps', route, user, code, slower }: RequestFilter): string {
  const range = status && statusRanges[status];
  const given = {
    ...(range && { status__gte: String(range[0]), status__lte: String(range[1]) }),
    ...(who === 'apps' && { credential__ne: 'account' }),
    ...(who !== 'apps' && who !== 'anyone' && { credential: who }),
    ...(slower !== undefined && { ms__gte: String(slower) }),
    ...(route !== undefined && { route }),
    ...(user !== undefined && { user }),
    ...(code !== undefined && { code }),
  };
  return new URLSearchParams(given).toString();
}

function queryOf(filter: RequestFilter): string {
  const { from, to } = filter;
  const time = new URLSearchParams({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  return [filterQuery(filter), time.toString()].filter(Boolean).join('&');
}

/** Does a call pass the filter? Asked of those that came before the filter was what it is. */
export function passes(request: RequestRecord, filter: RequestFilter): boolean {
  const { status, who = 'apps', route, user, code, slower, from, to } = filter;
  const [least, most] = status ? statusRanges[status] : [0, 999];
  const isCaller =
    who === 'apps' ? request.credential !== 'account' : ['anyone', request.credential].includes(who);
  return (
    isCaller &&
    request.status >= least &&
    request.status <= most &&
    (route === undefined || request.route === route) &&
    (user === undefined || request.userId === user) &&
    (code === undefined || request.code === code) &&
    (slower === undefined || request.ms >= slower) &&
    (from === undefined || request.at >= from) &&
    (to === undefined || request.at < to)
  );
}

const lookEveryMs = 10_000;

/** The calls of a project, the latest first. The first page is read again now and then: a line is written late. */
export const requestsQuery = (ref: string, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', ref, 'requests', queryOf(filter)],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? '' : `&cursor=${pageParam}`;
      return listManaged<RequestRecord[]>(`/projects/${ref}/requests?limit=100${cursor}&${queryOf(filter)}`, {
        signal,
      });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? lookEveryMs : false),
  });

export const requestQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'request', id],
    queryFn: ({ signal }) =>
      manage<RequestRecord>(`/projects/${ref}/requests/${encodeURIComponent(id)}`, { signal }),
    // A call that is over does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
