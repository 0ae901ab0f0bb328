import type { Position } from '../../platform/changes/position.ts';
import type { Cursor } from './cursor.ts';
import type { LiveQuery } from './live-query.ts';
import type { Visibility } from './visibility.ts';

/** What a subscription writes to. */
export interface Outlet {
  /** Sends a message; its parts are put together only here, since most of it is the same for many. */
  send(text: string): void;
  /** Resolves when what was sent before has mostly been taken. */
  drained(): Promise<void>;
}

/** Someone who follows a query. */
export class Subscription {
  readonly id: string;
  readonly outlet: Outlet;
  query: LiveQuery;
  /** That its position belongs to. */
  epoch: string;
  /** Everything up to here was sent, or was not to be. */
  position: Position;
  /** Are changes sent as they come? Before that it catches up by itself. */
  isLive = false;
  isEnded = false;
  /** What was sent at the beginning is not sent again. */
  seen: Visibility | undefined;
  /** When it was last told where it is. */
  toldAt = performance.now();
  readonly #idText: string;

  constructor(id: string, query: LiveQuery, { epoch, position }: Cursor, outlet: Outlet) {
    this.id = id;
    this.query = query;
    this.epoch = epoch;
    this.position = position;
    this.outlet = outlet;
    this.#idText = JSON.stringify(id);
  }

  send(
    type: 'event' | 'subscribed' | 'snapshot' | 'resync' | 'position',
    rest: string,
    cursor: string,
  ): void {
    this.toldAt = performance.now();
    const middle = rest === '' ? '' : `${rest},`;
    this.outlet.send(`{"type":"${type}","id":${this.#idText},${middle}"cursor":"${cursor}"}`);
  }
}
