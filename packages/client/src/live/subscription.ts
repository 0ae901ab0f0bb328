import type { ErrorCode, ServerMessage } from '@plinth/protocol';
import { PlinthError } from '../errors.ts';
import { printFilter, type QueryState } from '../query-text.ts';
import { backoffMs } from '../waiting.ts';
import type { Connection } from './connection.ts';

type Event = Extract<ServerMessage, { type: 'event' }>;

/** What a subscription tells. */
export interface Heard {
  /** It has begun, or goes on; `isWhole`: nothing was missed. */
  onBegun(isWhole: boolean): void;
  onSnapshot(documents: readonly unknown[]): void;
  onEvent(event: Event['event'], document: Event['document']): void;
  /** Everything is to be read again. */
  onMissed(): void;
  onLost(status: 'away' | 'refused', error: PlinthError): void;
  /** Nothing of before may be shown. */
  onOtherUser(): void;
  /** The number of the collection: ids carry it. */
  onNumber?(number: number): void;
  /** Up to here nothing was missed. */
  onCursor?(cursor: string | undefined): void;
}

export interface SubscriptionOptions {
  readonly collection: string;
  readonly query: QueryState;
  /** What is there is told first. */
  readonly hasSnapshot: boolean;
  /** To go on from. */
  readonly cursor?: string | undefined;
}

let lastId = 0;
/** What passes by itself. */
const passing: readonly string[] = [
  'rate_limited',
  'engine_unavailable',
  'too_many_queries',
] satisfies ErrorCode[];

/** Follows a filter over any number of breaks. Returns how to stop. */
export function subscribe(
  connection: Connection,
  { collection, query, hasSnapshot, cursor: first }: SubscriptionOptions,
  heard: Heard,
): () => void {
  const filter = printFilter(query);
  let id = '';
  let cursor = first;
  let arriving: unknown[] | undefined;
  let failures = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    lastId += 1;
    id = `q${lastId}`;
    arriving = hasSnapshot && cursor === undefined ? [] : undefined;
    connection.send({
      type: 'subscribe',
      id,
      collection,
      ...(filter && { filter }),
      ...(cursor !== undefined && { since: cursor }),
      ...(arriving && { snapshot: true }),
    });
  };
  const place = (next: string | undefined) => {
    cursor = next;
    heard.onCursor?.(next);
  };
  const take = (message: ServerMessage) => {
    if (!('id' in message) || message.id !== id) return;
    switch (message.type) {
      case 'subscribed':
        // Of a snapshot that has not come yet, the place is worth nothing.
        failures = 0;
        heard.onNumber?.(message.number);
        if (arriving) break;
        heard.onBegun(cursor !== undefined);
        place(message.cursor);
        break;
      case 'snapshot':
        arriving?.push(...message.documents);
        if (message.more) break;
        heard.onSnapshot(arriving ?? []);
        arriving = undefined;
        place(message.cursor);
        break;
      case 'event':
        heard.onEvent(message.event, message.document);
        place(message.cursor);
        break;
      case 'position':
        place(message.cursor);
        break;
      case 'resync':
        connection.send({ type: 'unsubscribe', id });
        place(undefined);
        heard.onMissed();
        begin();
        break;
      case 'error':
        id = '';
        if (passing.includes(message.code)) {
          failures += 1;
          again = setTimeout(begin, backoffMs(failures));
          heard.onLost('away', errorOf(message));
        } else {
          // First: what may not be seen is gone before it is kept.
          heard.onLost('refused', errorOf(message));
          place(undefined);
        }
    }
  };
  const stop = connection.follow({
    onReady: begin,
    onMessage: take,
    onLost: (status, error) => {
      clearTimeout(again);
      heard.onLost(status, error);
    },
    onOtherUser: () => {
      clearTimeout(again);
      id = '';
      // Not told as a place: what is there still belongs to the former user, and would be kept for the next.
      cursor = undefined;
      heard.onOtherUser();
    },
  });
  return () => {
    clearTimeout(again);
    if (id) connection.send({ type: 'unsubscribe', id });
    stop();
  };
}

export function errorOf({ code, message }: Extract<ServerMessage, { type: 'error' }>): PlinthError {
  return new PlinthError({ code: code as ErrorCode, message, status: 0 });
}
