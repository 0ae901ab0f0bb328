import { randomUUID } from 'node:crypto';
import { Yielder } from '../concurrency/yielder.ts';
import type { Pool } from '../db/pool.ts';
import type { Log } from '../log.ts';
import type { ChangeStream, Entry } from './change-stream.ts';
import { type FeedEpoch, isBefore, lsnOf, type Position, positionOf } from './position.ts';
import type { ChangeFields, CommittedTransaction } from './replication.ts';
import { type ServerLog, sharedUpTo } from './server-log.ts';
import { findReplicationSlot, noteEpoch, type ReplicationSlot } from './slot.ts';
import { VisibleCommits } from './visible-commits.ts';

/** Where the feed goes on. */
interface FeedHead {
  readonly epoch: FeedEpoch;
  /** What is in the stream last. */
  last: Position;
}

export interface FeedWriterOptions {
  readonly pool: Pool;
  readonly stream: ChangeStream;
  /** What of a commit is to be told, in order. */
  readonly changesOf: (transaction: CommittedTransaction) => ChangeFields[];
  /** Live subscriptions have to read again. */
  readonly onEpoch?: () => void;
  readonly onCommits?: (count: number) => void;
  readonly log: Log;
}

/** What it holds while it writes. */
interface Held {
  readonly slot: string;
  /** The log that the commits come from. */
  readonly source: ServerLog;
  /** Aborted when the slot is no longer held. */
  readonly signal: AbortSignal;
}

/** Writes commits into the stream of a cell, for as long as a node holds the replication slot. */
export class FeedWriter {
  readonly #options: FeedWriterOptions;
  readonly #held: Held;
  readonly #visible: VisibleCommits;
  readonly #yielder = Yielder.forShortWork('change feed');
  #resuming: Promise<bigint> | undefined;
  #head: FeedHead | undefined;

  constructor(options: FeedWriterOptions, held: Held) {
    this.#options = options;
    this.#held = held;
    this.#visible = new VisibleCommits(options.pool, held.source.timeline);
  }

  /** Is it known where to go on? */
  get isReady(): boolean {
    return this.#head !== undefined;
  }

  /** Goes on where the last holder stopped, or begins another epoch if that would leave a gap. Returns what is confirmed. */
  resume(): Promise<bigint> {
    this.#resuming ??= this.#resume();
    return this.#resuming;
  }

  /** Writes commits. Returns up to where PostgreSQL may forget. */
  async write(commits: readonly CommittedTransaction[]): Promise<bigint> {
    // The first commits may come before it is known where to go on.
    await this.resume();
    const [first, last] = [commits[0], commits.at(-1)];
    if (!first || !last) throw new Error('There is no commit to write.');
    const { stream } = this.#options;
    const told = await this.#toldOf(commits);
    this.#options.onCommits?.(commits.length);
    if (told.length === 0) return stream.idle(last.endLsn);
    // Who hears of a change can read it: everything in the stream is visible to whoever looks.
    const xids = new Set(told.map(({ xid }) => xid));
    await this.#visible.until([...xids], this.#held.signal);
    const written = await this.#append(told, last.endLsn);
    if (written !== undefined) return written;
    // What was written before is gone: nobody can go on from it.
    await this.#beginEpoch(first.endLsn - 1n, this.#head?.epoch);
    const again = await this.#append(told, last.endLsn);
    if (again === undefined) throw new Error('The stream of changes was lost while it was written.');
    return again;
  }

  async #resume(): Promise<bigint> {
    const { pool, stream } = this.#options;
    const state = await findReplicationSlot(pool);
    const { noted, confirmed = 0n } = state;
    if (state.timeline !== this.#held.source.timeline)
      throw new Error(
        'Connections to the database lead to different servers. Changes wait until they lead to one.',
      );
    const last = (await this.#canGoOn(state)) && noted && (await stream.resume(noted.epoch, confirmed));
    if (!last) await this.#beginEpoch(confirmed, noted?.epoch);
    else {
      if (noted.log?.timeline !== state.timeline) await this.#note(noted.epoch);
      this.#head = { epoch: noted.epoch, last };
    }
    return confirmed;
  }

  /** Is everything that somebody may have been told of in this epoch a part of the log that is read now? */
  async #canGoOn({ noted, confirmed = 0n, end }: ReplicationSlot): Promise<boolean> {
    const { source } = this.#held;
    if (!noted?.log) return false;
    const shared = sharedUpTo(source, noted.log, end);
    if (shared === undefined || confirmed > shared) return false;
    const reach = await this.#options.stream.reach(noted.epoch);
    // A process that has started again does not know what it told before.
    if (reach === undefined) return source.timeline === noted.log.timeline;
    return lsnOf(reach) <= shared;
  }

  async #beginEpoch(from: bigint, former: FeedEpoch | undefined): Promise<void> {
    const { stream, log } = this.#options;
    const epoch = randomUUID();
    const last = await stream.begin(epoch, from, former);
    await this.#note(epoch);
    this.#head = { epoch, last };
    this.#options.onEpoch?.();
    log.info(
      { slot: this.#held.slot, epoch },
      'a new epoch of the change feed: live subscriptions read again',
    );
  }

  #note(epoch: FeedEpoch): Promise<void> {
    return noteEpoch(this.#options.pool, this.#held.slot, epoch, this.#held.source);
  }

  /** Undefined if what was written before is gone. */
  async #append(told: readonly Omit<Entry, 'previous'>[], endLsn: bigint): Promise<bigint | undefined> {
    const { stream } = this.#options;
    const [head, end] = [this.#head, told.at(-1)];
    if (!head || !end) return undefined;
    const projects = new Set(told.map(({ project }) => project));
    const followed = await stream.choose(head.epoch, [...projects], end.position);
    if (!followed) return undefined;
    const entries: Entry[] = [];
    let previous = head.last;
    for (const one of told) {
      // It may have been written before, by this process or by the former holder of the slot.
      if (!followed.has(one.project) || !isBefore(previous, one.position)) continue;
      entries.push({ ...one, previous });
      previous = one.position;
    }
    if (entries.length === 0) return stream.idle(endLsn);
    const confirmed = await stream.append(head.epoch, entries);
    if (confirmed !== undefined) head.last = previous;
    return confirmed;
  }

  async #toldOf(commits: readonly CommittedTransaction[]): Promise<Omit<Entry, 'previous'>[]> {
    const told: Omit<Entry, 'previous'>[] = [];
    this.#yielder.begin();
    for (const commit of commits) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      for (const [index, fields] of this.#options.changesOf(commit).entries()) {
        const position = positionOf(commit.endLsn, index + 1);
        told.push({ position, xid: commit.xid, project: fields.project ?? '', fields });
      }
    }
    return told;
  }
}
