import type { FeedEpoch, Position } from '../../../platform/change-feed/position.ts';
import type { Visibility } from '../../../platform/change-feed/visibility.ts';
import type { SealedCursor } from './feed-cursor.ts';
import type { LiveQuery } from './live-query.ts';

/** What a subscription writes to. */
export interface Outlet {
  send(text: string): void;
  /** Resolves when most of what was sent before has been taken; false if that took longer. */
  drained(withinMs?: number): Promise<boolean>;
  /** Ends the connection: the other side does not take what it is sent. */
  giveUp(): void;
}

/** One subscription to a query, and how far it has been told. */
export class Subscription {
  readonly id: string;
  readonly outlet: Outlet;
  query: LiveQuery;
  /** The epoch that its position belongs to. */
  epoch: FeedEpoch;
  /** Everything up to here was sent, or did not have to be. */
  position: Position;
  /** Makes its cursors good for the subscriber alone. */
  seal: string;
  /** Are changes sent as they come? Until then it catches up by itself. */
  isLive = false;
  isEnded = false;
  /** Has it gone on from an earlier cursor, with nothing since then that made it read everything again? */
  isResumed = false;
  /** What the snapshot held, which is not sent again. */
  seen: Visibility | undefined;
  /** What was visible when it went on from a cursor is the past: it is told as far as it is still so. */
  past: Visibility | undefined;
  /** Documents that came into its sight in the past, and are told of with their next change, since they have changed. */
  readonly untold = new Set<string>();
  /** When it was last told where it is. */
  toldAt = performance.now();
  readonly #idText: string;

  constructor(id: string, query: LiveQuery, { epoch, position, seal }: SealedCursor, outlet: Outlet) {
    this.id = id;
    this.query = query;
    this.epoch = epoch;
    this.position = position;
    this.seal = seal;
    this.outlet = outlet;
    this.#idText = JSON.stringify(id);
  }

  /** Sends a message. It is put together only here: `rest` is the same for many subscriptions. */
  send(
    type: 'event' | 'subscribed' | 'snapshot' | 'resync' | 'position',
    rest: string,
    cursor: string,
  ): void {
    this.toldAt = performance.now();
    const middle = rest === '' ? '' : `${rest},`;
    this.outlet.send(`{"type":"${type}","id":${this.#idText},${middle}"cursor":"${cursor}${this.seal}"}`);
  }
}
