import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Delivery, Health } from './deliveries.ts';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

/** A function that runs by itself. */
export interface BackgroundFunction {
  readonly name: string;
  /** Null: it is not in the present deployment. */
  readonly kind: 'hook' | 'task' | 'schedule' | 'http' | null;
  readonly events: readonly string[];
  readonly ordered: boolean;
  readonly enabled: boolean;
  readonly disabledAt: string | null;
  readonly disabledReason: 'paused' | 'gone' | 'failing' | 'too_many_waiting' | null;
  readonly catchingUp: boolean;
  readonly health: Health;
}

/** An event with what the function is given of it. */
export interface FunctionDelivery extends Delivery {
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A run, as far as it is told in a line. */
export interface RunLine {
  readonly id: string;
  readonly at: string;
  readonly version: number;
  readonly outcome: 'ok' | 'refused' | 'failed' | 'timed_out' | 'crashed' | 'out_of_memory' | 'busy' | 'off';
  readonly ms: number;
  readonly error: { readonly message: string } | null;
}

const lookEveryMs = 3000;
const runsOnPage = 20;
const pathOf = (ref: string) => `/p/${ref}/background-functions`;
/** What the deliveries of a function are asked for by. */
export const laneOf = (ref: string, name: string) => `${pathOf(ref)}/${encodeURIComponent(name)}`;
const keyOf = (ref: string) => ['projects', ref, 'background-functions'] as const;
export const runsKey = (ref: string, name: string) => ['projects', ref, 'runs-of', name] as const;

export const backgroundQuery = (ref: string) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'all'],
    queryFn: ({ signal }) => manage<BackgroundFunction[]>(pathOf(ref), { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

/** A function of the deployment that runs before something is written. */
export interface BeforeHook {
  readonly name: string;
  readonly event: string;
  readonly collection?: string;
}

interface DeployedCode {
  readonly isActive: boolean;
  readonly functions: readonly (Omit<BeforeHook, 'event'> & { readonly event?: string })[];
}

const isBefore = (one: DeployedCode['functions'][number]): one is BeforeHook =>
  one.event?.startsWith('pre_') === true;

/** Nothing waits for these: the call that writes waits for them. */
export const beforeHooksQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'before-hooks'],
    queryFn: async ({ signal }): Promise<readonly BeforeHook[]> => {
      const kept = await manage<DeployedCode[]>(`/p/${ref}/deployments`, { signal });
      return kept.find(({ isActive }) => isActive)?.functions.filter(isBefore) ?? [];
    },
    staleTime: 0,
  });

export const backgroundFunctionQuery = (ref: string, name: string) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'one', name],
    queryFn: ({ signal }) => manage<BackgroundFunction>(laneOf(ref, name), { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const useEnableFunction = (ref: string, name: string) =>
  useChange(
    (enabled: boolean) =>
      manage<BackgroundFunction>(laneOf(ref, name), { method: 'PATCH', body: { enabled } }),
    keyOf(ref),
  );

/** The latest first; the next page is what came before the last run of a full one. */
export const runsOfQuery = (ref: string, name: string) =>
  infiniteQueryOptions({
    queryKey: runsKey(ref, name),
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        function: name,
        limit: String(runsOnPage),
        ...(pageParam !== '' && { before: pageParam }),
      });
      return manage<RunLine[]>(`/p/${ref}/function-runs?${query.toString()}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === runsOnPage ? page.at(-1)?.id : undefined),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });
