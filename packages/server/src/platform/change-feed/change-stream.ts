import type { FeedEpoch, Position } from './position.ts';

/** How long the change feed is kept for subscribers that come back. */
export const keptMs = 3_600_000;

/** What is kept of the changes of a cell where nothing else is configured: in Redis, and in a process without it. */
export const defaultFeedBytes = { redis: 1_073_741_824, memory: 64 * 1_048_576 };

/** How many of the latest changes of a cell are known in their order, for nodes that read on. */
export const keptNews = 100_000;

type Fields = Readonly<Record<string, string>>;

/** Word of one change, on its way from the log to those who wait for it. */
export interface News {
  readonly position: Position;
  /** The position of the change before it: whoever has read that one has missed nothing. */
  readonly previous: Position;
  /** The transaction that made it. */
  readonly xid: number;
  readonly project: string;
}

/** A change; flat, because Redis keeps it so. */
export interface Entry extends News {
  readonly fields: Fields;
}

export interface ReadOptions {
  readonly most: number;
  readonly waitMs: number;
  /** How many changes of the project are to be read; of others word is enough. */
  readonly wanted: (project: string) => number;
}

export interface HistoryRange {
  readonly project: string;
  readonly after: Position;
  /** Included. */
  readonly upTo: Position;
  readonly most: number;
}

/** What is known of a project that is followed. */
export interface Following {
  /** Was it not followed until now? What happened meanwhile was not kept. */
  readonly isNew: boolean;
  /** Everything after this is there. */
  readonly floor: Position;
}

/**
 * The changes of a cell, kept for a while. They belong to an epoch: nothing is missing between what is kept and what is
 * added. Where that cannot be promised, another epoch begins.
 *
 * Each project has a history of its own. Together they have so many bytes at most: past that, the project that has most
 * loses its oldest changes, so that nobody pushes out what others need.
 */
export interface ChangeStream {
  /**
   * Where to go on writing, for the holder of the replication slot, which will repeat everything after `confirmed`.
   * Undefined: what was written in this epoch is gone.
   */
  resume(epoch: FeedEpoch, confirmed: bigint): Promise<Position | undefined>;
  /** Begins an epoch with what is committed after `from`, in place of a former one. */
  begin(epoch: FeedEpoch, from: bigint, former?: FeedEpoch): Promise<Position>;
  /**
   * Somebody wants to hear of these projects from now on, and for as long as anything is kept: to be repeated meanwhile.
   * Undefined if the epoch is not known here.
   */
  follow(epoch: FeedEpoch, projects: readonly string[]): Promise<ReadonlyMap<string, Following> | undefined>;
  /**
   * Which of the projects that have changed are followed: of the others nothing need be added, and nothing is kept up to
   * this position. Undefined if what was written before is gone.
   */
  choose(
    epoch: FeedEpoch,
    projects: readonly string[],
    upTo: Position,
  ): Promise<ReadonlySet<string> | undefined>;
  /** Adds entries. Returns up to where the slot need not repeat commits; undefined if what was there before is gone. */
  append(epoch: FeedEpoch, entries: readonly Entry[]): Promise<bigint | undefined>;
  /** Everything committed up to here is written. Returns up to where the slot need not repeat commits. */
  idle(lsn: bigint): bigint;
  /** Up to where somebody may have been told of changes; undefined if nobody knows. */
  reach(epoch: FeedEpoch): Promise<Position | undefined>;
  /** The last position; undefined if the epoch is not known here. */
  last(epoch: FeedEpoch): Promise<Position | undefined>;
  /**
   * What comes after a position, of all projects; waits a moment if there is nothing. Those that are wanted are whole,
   * unless they are no longer kept. 'gone' if there was something of which there is no word any more.
   */
  read(epoch: FeedEpoch, after: Position, options: ReadOptions): Promise<(News | Entry)[] | 'gone'>;
  /** The changes of one project between two positions; 'gone' if some of them are no longer kept. */
  history(epoch: FeedEpoch, range: HistoryRange): Promise<Entry[] | 'gone'>;
  close(): Promise<void>;
}

/** What an entry counts for, with what it takes to keep it. */
export function bytesOf({ fields }: Entry): number {
  return Object.values(fields).reduce((sum, text) => sum + Buffer.byteLength(text), 200);
}
