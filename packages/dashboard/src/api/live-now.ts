import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { askManaged } from './management.ts';

/** A room with somebody in it. */
export interface LiveRoom {
  readonly room: string;
  readonly members: number;
}

export interface LiveConnection {
  readonly id: string;
  readonly user: string | null;
  readonly credential: 'none' | 'user' | 'apiKey' | 'account';
  readonly transport: 'websocket' | 'sse';
  readonly connectedAt: string;
  readonly subscriptionCount: number;
  readonly subscriptions: readonly { readonly collection: string; readonly filter: string }[];
  readonly roomCount: number;
  readonly rooms: readonly string[];
}

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

export const liveRoomsQuery = (ref: string, page: number) => nowQuery<LiveRoom>(ref, 'rooms', page);
export const liveConnectionsQuery = (ref: string, page: number) =>
  nowQuery<LiveConnection>(ref, 'connections', page);
