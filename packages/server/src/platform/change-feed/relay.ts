import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Yielder } from '../concurrency/yielder.ts';
import { errorCode } from '../error-code.ts';
import type { Log } from '../log.ts';
import type { ChangeStream, Entry } from './change-stream.ts';
import { CommitWriter } from './commit-writer.ts';
import { type FeedEpoch, isBefore, type Position, positionOf } from './position.ts';
import { type ChangedRow, type ChangeFields, type CommittedTransaction, Replication } from './replication.ts';
import { createReplicationSlot, findReplicationSlot, type ReplicationSlot, setFeedEpoch } from './slot.ts';
import { VisibleCommits } from './visible-commits.ts';

/** Where the holder of the slot is in the stream. */
interface Holding {
  epoch: FeedEpoch;
  last: Position;
}

export interface RelayOptions {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly stream: ChangeStream;
  readonly publications: readonly string[];
  /** What is kept of a changed row, if anything. */
  readonly readRow: (row: ChangedRow, messages: readonly string[]) => ChangeFields | undefined;
  /** What of a commit is to be told, in order. */
  readonly changesOf: (transaction: CommittedTransaction) => ChangeFields[];
  readonly log: Log;
}

/** How long a node that does not hold the slot waits before it tries again. */
const lookEveryMs = 1000;
const retryMs = 500;
const warnEveryMs = 30_000;

/**
 * Carries the changes of a cell from the log of PostgreSQL into the stream. Every node tries to. The slot lets one of
 * them, and the next as soon as that one is gone. There is no slot before somebody wants to hear of changes.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #visible: VisibleCommits;
  readonly #yielder = Yielder.forShortWork('change feed');
  readonly #stopping = new AbortController();
  #isWanted = false;
  #running: Promise<void> | undefined;
  #replication: Replication | undefined;
  #holding: Holding | undefined;
  #look: (() => void) | undefined;
  #failure: unknown;
  #warnedAt = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#visible = new VisibleCommits(options.pool);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** What went wrong last; undefined if it has worked since. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Somebody wants to hear of changes: from now on there is a slot. */
  want(): void {
    this.#isWanted = true;
    this.#look?.();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#look?.();
    await this.#replication?.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#pause((await this.#turn()) ? 0 : lookEveryMs);
      } catch (error) {
        if (signal.aborted) return;
        const isTaken = errorCode(error) === '55006';
        if (!isTaken) this.#warn(error);
        await this.#pause(isTaken ? lookEveryMs : retryMs);
      }
    }
  }

  /** A failure that repeats itself is logged only once in a while. */
  #warn(error: unknown): void {
    const now = performance.now();
    const isNews = String(error) !== String(this.#failure) || now - this.#warnedAt > warnEveryMs;
    this.#failure = error;
    if (!isNews) return;
    this.#warnedAt = now;
    this.#options.log.warn({ err: error }, 'the change feed broke off, and is taken up again');
  }

  /** Looks once, and reads the slot if nobody else does; false if there was nothing to do. */
  async #turn(): Promise<boolean> {
    const { pool } = this.#options;
    const state = await findReplicationSlot(pool);
    if (!state.canDecode || (state.confirmed === undefined && !state.isLost && !this.#isWanted)) return false;
    if (state.confirmed === undefined) {
      await createReplicationSlot(pool, state);
      return true;
    }
    if (state.isHeld) return false;
    await this.#hold(state);
    return true;
  }

  async #hold({ name: slot }: ReplicationSlot): Promise<void> {
    const { stream, log, databaseUrl, publications, readRow } = this.#options;
    let resuming: Promise<Holding> | undefined;
    const resume = () => (resuming ??= this.#resume(slot));
    const writer = new CommitWriter({
      write: async (commits) => {
        // The first commits may come before it is known where to go on.
        this.#holding ??= await resume();
        replication.confirm(await this.#write(slot, this.#holding, commits));
      },
      onFailure: (error) => replication.fail(error),
    });
    const replication = new Replication({
      databaseUrl,
      slot,
      publications,
      readRow,
      onCommit: (transaction) => writer.add(transaction),
      onIdle: (lsn) => {
        if (this.#holding && writer.isIdle) replication.confirm(stream.idle(lsn));
      },
    });
    this.#replication = replication;
    if (this.#stopping.signal.aborted) return;
    try {
      await replication.run(() => {
        this.#failure = undefined;
        log.info({ slot }, 'this node reads the change feed');
        resume().then(
          (holding) => (this.#holding ??= holding),
          () => replication.stop(),
        );
      });
      // If it ended because there was nowhere to write to, this says so.
      await resuming;
    } finally {
      await replication.stop();
      await writer.settled();
      this.#holding = undefined;
      this.#replication = undefined;
    }
  }

  /** Goes on where the last holder stopped, or begins another epoch if that would leave a gap. */
  async #resume(slot: string): Promise<Holding> {
    const { pool, stream } = this.#options;
    const { epoch, confirmed = 0n } = await findReplicationSlot(pool);
    const last = epoch === undefined ? undefined : await stream.resume(epoch, confirmed);
    if (epoch !== undefined && last !== undefined) return { epoch, last };
    return this.#beginEpoch(slot, confirmed, epoch);
  }

  async #beginEpoch(slot: string, from: bigint, former?: FeedEpoch): Promise<Holding> {
    const { pool, stream, log } = this.#options;
    const epoch = randomUUID();
    const last = await stream.begin(epoch, from, former);
    await setFeedEpoch(pool, slot, epoch);
    log.info({ slot, epoch }, 'a new epoch of the change feed: live subscriptions read again');
    return { epoch, last };
  }

  /** Writes commits. Returns up to where PostgreSQL may forget. */
  async #write(slot: string, holding: Holding, commits: readonly CommittedTransaction[]): Promise<bigint> {
    const { stream } = this.#options;
    const [first, last] = [commits[0], commits.at(-1)];
    if (!first || !last) throw new Error('There is no commit to write.');
    const entries = await this.#entriesOf(holding, commits);
    const end = entries.at(-1);
    if (!end) return stream.idle(last.endLsn);
    // Who hears of a change can read it: everything in the stream is visible to whoever looks.
    for (const { xid } of entries) await this.#visible.until(xid);
    const confirmed = await stream.append(holding.epoch, entries);
    if (confirmed !== undefined) {
      holding.last = end.position;
      return confirmed;
    }
    // What was written before is gone: nobody can go on from it.
    this.#holding = await this.#beginEpoch(slot, first.endLsn - 1n, holding.epoch);
    return this.#write(slot, this.#holding, commits);
  }

  async #entriesOf({ last }: Holding, commits: readonly CommittedTransaction[]): Promise<Entry[]> {
    const entries: Entry[] = [];
    let previous = last;
    this.#yielder.begin();
    for (const commit of commits) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      for (const [index, fields] of this.#options.changesOf(commit).entries()) {
        const position = positionOf(commit.endLsn, index + 1);
        // It was written before, by this process or by the former holder of the slot.
        if (!isBefore(previous, position)) continue;
        entries.push({ position, previous, xid: commit.xid, project: fields.project ?? '', fields });
        previous = position;
      }
    }
    return entries;
  }

  async #pause(ms: number): Promise<void> {
    if (ms === 0 || this.#stopping.signal.aborted) return;
    const waiting = new AbortController();
    this.#look = () => waiting.abort();
    await sleep(ms, undefined, { signal: waiting.signal }).catch(() => {});
    this.#look = undefined;
  }
}
