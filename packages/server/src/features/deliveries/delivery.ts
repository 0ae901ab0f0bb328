import type { Subscriber } from './subscriber.ts';

/** Something that a subscriber is to be told. */
export interface Delivery {
  readonly cell: number;
  readonly projectId: string;
  readonly lane: number;
  /** Stays the same however often it is tried. */
  readonly id: string;
  readonly event: string;
  /** JSON, as it was written with the cause. */
  readonly payload: string;
  readonly depth: number;
  /** 1 the first time. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly subscriber: Pick<Subscriber, 'kind' | 'name' | 'lane'>;
}

/** How it went. */
export type Outcome = {
  /** What is kept of the attempt, for kinds that keep a log. */
  readonly note?: Readonly<Record<string, unknown>>;
} & (
  | { readonly kind: 'done' }
  /** To be tried again. `pauseMs`: nothing else is tried before that. */
  | { readonly kind: 'failed'; readonly error: string; readonly pauseMs?: number }
  /** Trying again is of no use. */
  | { readonly kind: 'dead'; readonly error: string }
  /** The subscriber wants to hear no more. */
  | { readonly kind: 'gone'; readonly error: string }
);

/** Tells the subscribers of one kind. */
export interface DeliveryHandler {
  /** How long after each failure it is tried again, in seconds; one more than these and it is dead. */
  readonly retriesS: readonly number[];
  /** How many of one lane are under way at once. */
  readonly perLane: number;
  /** How long one may take. */
  readonly timeoutMs: number;
  /** Whether attempts are written down, with what the outcome notes. */
  readonly keepsLog: boolean;
  /** What more hooks than these have led to is dead at once. */
  readonly mostDepth?: number;
  /** Whatever it throws is a failure that is tried again. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome>;
}

/** Why a subscriber is no longer served. */
export type DisabledReason = 'gone' | 'failing' | 'too_many_waiting' | 'paused';
