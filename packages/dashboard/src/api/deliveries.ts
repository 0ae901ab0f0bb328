import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { askManaged, manage } from './management.ts';
import { useChange } from './use-change.ts';

/** How it goes with telling somebody; what waits and what is dead is counted up to a thousand. */
export interface Health {
  readonly waiting: number;
  readonly dead: number;
  readonly failingSince: string | null;
  readonly pausedUntil: string | null;
}

export type DeliveryStatus = 'waiting' | 'delivered' | 'dead';

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly at: string;
  readonly dueAt: string | null;
  readonly error: string | null;
}

/** What is counted of a lane; more than these are not. */
export const countedUpTo = 1000;

interface DeliveryList {
  readonly data: readonly Delivery[];
  readonly counts: Pick<Health, 'waiting' | 'dead'>;
  readonly nextCursor?: string | null;
}

const lookEveryMs = 3000;
/** A lane is known by the path under which the service has it. */
const keyOf = (lane: string) => ['deliveries', lane] as const;

/** The newest first; what changes is seen without asking. */
export const deliveriesQuery = (lane: string, status: DeliveryStatus) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(lane), 'list', status],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ status, ...(pageParam !== '' && { cursor: pageParam }) });
      return askManaged<DeliveryList>(`${lane}/deliveries?${query.toString()}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const deliveryQuery = <Found extends Delivery>(lane: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(lane), 'one', id],
    queryFn: ({ signal }) => manage<Found>(`${lane}/deliveries/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

/** What is sent again. */
export type ReplayWish =
  | { readonly delivery: string }
  | { readonly dead: true }
  | { readonly since: string; readonly until?: string };

export const useReplay = (lane: string) =>
  useChange(
    (wish: ReplayWish) =>
      manage<{ readonly replayed: number }>(`${lane}/replay`, { method: 'POST', body: wish }),
    keyOf(lane),
  );
