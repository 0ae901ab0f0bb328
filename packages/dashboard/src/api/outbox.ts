import { infiniteQueryOptions } from '@tanstack/react-query';
import { listManaged, manage } from './management.ts';
import { useChange } from './use-change.ts';

export const messageStatuses = ['waiting', 'sent', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** What became of a mail or text message; what it said is not told. */
export interface SentMessage {
  readonly id: string;
  readonly kind: 'mail' | 'text';
  readonly template: string;
  readonly to: string;
  readonly status: MessageStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly triedAt: string | null;
  readonly nextTryAt: string | null;
  readonly expiresAt: string | null;
  readonly canRetry: boolean;
}

/** Which messages are listed; it is part of the address. */
export interface OutboxLook {
  readonly status?: MessageStatus;
  readonly to?: string;
}

const lookEveryMs = 3000;
const outboxKey = (ref: string) => ['projects', ref, 'outbox'] as const;

/** The latest first; what comes in is seen without asking. */
export const outboxQuery = (ref: string, { status, to }: OutboxLook) =>
  infiniteQueryOptions({
    queryKey: [...outboxKey(ref), status ?? '', to ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: '50',
        ...(status && { status }),
        ...(to && { to }),
        ...(pageParam !== '' && { cursor: pageParam }),
      });
      return listManaged<SentMessage[]>(`/p/${ref}/messages?${query.toString()}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const useRetryMessage = (ref: string) =>
  useChange(
    (id: string) => manage<SentMessage>(`/p/${ref}/messages/${id}/retry`, { method: 'POST' }),
    outboxKey(ref),
  );
