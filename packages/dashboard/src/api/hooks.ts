import { queryOptions } from '@tanstack/react-query';
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

const lookEveryMs = 3000;
const pathOf = (ref: string) => `/p/${ref}/background-functions`;
/** What the deliveries of a function are asked for by. */
export const laneOf = (ref: string, name: string) => `${pathOf(ref)}/${encodeURIComponent(name)}`;
const keyOf = (ref: string) => ['projects', ref, 'background-functions'] as const;

export const backgroundQuery = (ref: string) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'all'],
    queryFn: ({ signal }) => manage<BackgroundFunction[]>(pathOf(ref), { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
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
