import type { ConnectionReport, RoomReport } from '@plinth/protocol';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { askManaged } from './management.ts';

/** What goes on at the moment, as far as the nodes have told. */
export interface LiveNow<Entry> {
  readonly data: readonly Entry[];
  readonly total: number;
  readonly totalIsFloor?: true;
  readonly hasMore: boolean;
  readonly seen: 'all' | 'some' | 'process';
  readonly nodes: number;
}

export const liveLimit = 50;
const lookEveryMs = 5000;

/** One page; it is read again while somebody looks. */
const nowQuery = <Entry>(ref: string, what: 'rooms' | 'connections', page: number) =>
  queryOptions({
    queryKey: ['projects', ref, 'live', what, page],
    queryFn: ({ signal }) =>
      askManaged<LiveNow<Entry>>(
        `/p/${ref}/realtime/${what}?limit=${liveLimit}&offset=${(page - 1) * liveLimit}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const liveRoomsQuery = (ref: string, page: number) => nowQuery<RoomReport>(ref, 'rooms', page);
export const liveConnectionsQuery = (ref: string, page: number) =>
  nowQuery<ConnectionReport>(ref, 'connections', page);
