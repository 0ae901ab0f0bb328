import type { FeedEpoch, Position } from './position.ts';

/** How long the change feed is kept for subscribers that come back. */
export const keptMs = 3_600_000;

/** One change on its way from the log to those who wait for it; flat, because Redis keeps it so. */
export interface Entry {
  readonly position: Position;
  /** The position of the entry before it: whoever has read that one has missed nothing. */
  readonly previous: Position;
  /** The transaction that made it. */
  readonly xid: number;
  readonly fields: Readonly<Record<string, string>>;
}

export interface ReadOptions {
  readonly most: number;
  readonly waitMs: number;
}

/**
 * The changes of a cell, kept for a while. They belong to an epoch: nothing is missing between what is kept and what is
 * added. Where that cannot be promised, another epoch begins.
 */
export interface ChangeStream {
  /**
   * Where to go on writing, for the holder of the replication slot, which will repeat everything after `confirmed`.
   * Undefined: what was written in this epoch is gone.
   */
  resume(epoch: FeedEpoch, confirmed: bigint): Promise<Position | undefined>;
  /** Begins an epoch with what is committed after `from`, in place of a former one. */
  begin(epoch: FeedEpoch, from: bigint, former?: FeedEpoch): Promise<Position>;
  /** Adds entries. Returns up to where the slot need not repeat commits; undefined if what was there before is gone. */
  append(epoch: FeedEpoch, entries: readonly Entry[]): Promise<bigint | undefined>;
  /** Everything committed up to here is written. Returns up to where the slot need not repeat commits. */
  idle(lsn: bigint): bigint;
  /** The last position; undefined if the epoch is not known here. */
  last(epoch: FeedEpoch): Promise<Position | undefined>;
  /** Entries after a position; waits a moment if there are none. 'gone' if some were there that are no longer kept. */
  read(epoch: FeedEpoch, after: Position, options: ReadOptions): Promise<Entry[] | 'gone'>;
  close(): Promise<void>;
}
