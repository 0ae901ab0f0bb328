import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

export type FunctionKind = 'http' | 'hook' | 'schedule' | 'task';

/** A function, as its deployment describes it. */
export interface FunctionRecord {
  readonly name: string;
  readonly file: string;
  readonly kind: FunctionKind;
  readonly access?: 'server' | 'users' | 'public';
  readonly event?: string;
  readonly collection?: string;
  readonly cron?: string;
  readonly options: { readonly timeoutSeconds?: number; readonly timeZone?: string };
  readonly loadMs: number;
}

/** A version of the code of a project. */
export interface Deployment {
  readonly version: number;
  readonly functions: readonly FunctionRecord[];
  readonly bytes: number;
  readonly note: string | null;
  readonly madeBy: string;
  readonly madeAt: string;
  readonly isActive: boolean;
}

/** One run of a function, with what it printed and threw. */
export interface FunctionRun {
  readonly id: string;
  readonly at: string;
  readonly function: string;
  readonly version: number;
  readonly kind: FunctionKind;
  readonly outcome: string;
  readonly status: number | null;
  readonly ms: number;
  readonly start: string | null;
  readonly error: { readonly name: string; readonly message: string; readonly stack: string } | null;
  readonly logs: readonly { readonly at: number; readonly level: string; readonly text: string }[];
  readonly cause: string | null;
}

const lookEveryMs = 4000;
const followEveryMs = 2000;
const runsOnPage = 50;
/** More nobody reads, and the page stays quick. */
const mostFollowed = 500;

const deploymentsKey = (ref: string) => ['projects', ref, 'deployments'] as const;

/** The versions that are kept, the newest first. Whoever deploys in a terminal sees it come. */
export const deploymentsQuery = (ref: string) =>
  queryOptions({
    queryKey: deploymentsKey(ref),
    queryFn: ({ signal }) => manage<readonly Deployment[]>(`/p/${ref}/deployments`, { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

/** A function that runs before something is written. Nothing waits for it: the call that writes does. */
export type BeforeHook = FunctionRecord & { readonly event: string };

const isBefore = (one: FunctionRecord): one is BeforeHook => one.event?.startsWith('pre_') === true;

export const beforeHooksOf = (deployments: readonly Deployment[]): readonly BeforeHook[] =>
  deployments.find(({ isActive }) => isActive)?.functions.filter(isBefore) ?? [];

/** Lets another version run. */
export const useActivate = (ref: string) =>
  useChange(
    (version: number) => manage<Deployment>(`/p/${ref}/deployments/${version}/activate`, { method: 'POST' }),
    deploymentsKey(ref),
  );

/** Which runs are looked for. */
export interface RunFilter {
  readonly function?: string;
  readonly outcome?: 'failed';
}

const readRuns = (
  ref: string,
  filter: RunFilter,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal,
) =>
  manage<readonly FunctionRun[]>(
    `/p/${ref}/function-runs?${new URLSearchParams({ ...filter, ...more }).toString()}`,
    { signal },
  );

export const runsKey = (ref: string, filter: RunFilter) =>
  ['projects', ref, 'function-runs', filter.function ?? '', filter.outcome ?? ''] as const;

/** Runs of the past, the newest first. The first page is read again now and then: one that takes long is written late. */
export const runsQuery = (ref: string, filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: [...runsKey(ref, filter), 'past'],
    queryFn: ({ pageParam, signal }) =>
      readRuns(
        ref,
        filter,
        { limit: String(runsOnPage), ...(pageParam !== '' && { before: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < runsOnPage ? undefined : page.at(-1)?.id),
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? 5 * followEveryMs : false),
  });

/** Runs that came since `first`, the newest first; each time it asks for those after the last that came. */
export const newRunsQuery = (ref: string, filter: RunFilter, first: string | undefined) =>
  queryOptions({
    // Where it began is no part of what it is: it goes on from what has come.
    queryKey: [...runsKey(ref, filter), 'new'],
    queryFn: async ({ client, queryKey, signal }): Promise<readonly FunctionRun[]> => {
      const known = client.getQueryData<readonly FunctionRun[]>(queryKey) ?? [];
      const after = known[0]?.id ?? first;
      if (after === undefined) return readRuns(ref, filter, { limit: String(runsOnPage) }, signal);
      const came = await readRuns(ref, filter, { after, limit: '200' }, signal);
      return came.length === 0 ? known : [...came.toReversed(), ...known].slice(0, mostFollowed);
    },
    staleTime: 0,
    refetchInterval: followEveryMs,
  });

/** A run is written down up to a second after it ended. */
export const runQuery = (ref: string, id: string, isAwaited = false) =>
  queryOptions({
    queryKey: ['projects', ref, 'function-run', id],
    queryFn: ({ signal }) =>
      manage<FunctionRun>(`/p/${ref}/function-runs/${encodeURIComponent(id)}`, { signal }),
    // One that is over does not change.
    staleTime: Number.POSITIVE_INFINITY,
    ...(isAwaited && { retry: 15, retryDelay: 300 }),
  });
