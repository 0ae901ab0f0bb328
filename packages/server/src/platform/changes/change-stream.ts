import type { Position } from './position.ts';

/** One change on its way from the log to those who wait for it: flat, since Redis keeps it so. */
export interface Entry {
  readonly position: Position;
  /** The position of the entry before it: who has read that has missed nothing. */
  readonly previous: Position;
  /** The transaction that made it. */
  readonly xid: number;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The changes of a cell, kept for a while. They belong to an epoch: within one, nothing is missing between what is kept
 * and what is added; where that cannot be promised another one begins.
 */
export interface ChangeStream {
  /**
   * Where to go on writing, for the one who holds the slot, which will repeat everything after `confirmed`. Undefined:
   * what was written in this epoch is gone.
   */
  resume(epoch: string, confirmed: bigint): Promise<Position | undefined>;
  /** Begins an epoch, in place of a former one, with what is committed after `from`. */
  begin(epoch: string, from: bigint, former?: string): Promise<Position>;
  /** Adds entries, and says up to where the slot need not repeat any more; undefined if what was there before is gone. */
  append(epoch: string, entries: readonly Entry[]): Promise<bigint | undefined>;
  /** Nothing was committed until here that is not written; says up to where the slot need not repeat any more. */
  idle(lsn: bigint): bigint;
  /** The last position; undefined if the epoch is not known here. */
  last(epoch: string): Promise<Position | undefined>;
  /** Entries after a position, waiting for some for a moment; 'gone' if there were some that are not kept any more. */
  read(epoch: string, after: Position, options: { most: number; waitMs: number }): Promise<Entry[] | 'gone'>;
  close(): Promise<void>;
}
