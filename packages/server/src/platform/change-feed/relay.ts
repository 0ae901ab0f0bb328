import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DatabaseServer } from '../db/database-server.ts';
import { errorCode } from '../error-code.ts';
import type { Lease } from '../leases/lease.ts';
import { CommitWriter } from './commit-writer.ts';
import { FeedWriter, type FeedWriterOptions } from './feed-writer.ts';
import { type ChangedRow, type ChangeFields, Replication } from './replication.ts';
import { findReplicationSlot, makeReplicationSlot } from './slot.ts';

export interface RelayOptions extends FeedWriterOptions {
  readonly server: DatabaseServer;
  /** Does work on a connection of its own, without a time limit but that of the signal. */
  readonly session: <Result>(
    signal: AbortSignal,
    work: (connection: Client) => Promise<Result>,
  ) => Promise<Result>;
  /** Whoever holds it checks every second that somebody reads the slot. */
  readonly lease: Lease;
  readonly publications: readonly string[];
  /** What is kept of a changed row, if anything. */
  readonly readRow: (row: ChangedRow, messages: readonly string[]) => ChangeFields | undefined;
}

/** How long a process that does not hold the slot waits before it looks again: with the lease, and without. */
const lookEveryMs = { leased: 1000, other: 15_000 };
const retryMs = 500;
const warnEveryMs = 30_000;

/**
 * Carries the changes of a cell from the log of PostgreSQL into the stream. Any process can, and the slot lets one of them.
 * Those with the lease look every second whether it still does, and one of them takes over. There is no slot before somebody wants to hear of changes.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  #isWanted = false;
  /** When it last looked while somebody wanted to hear: many who come at once are one reason to look. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #replication: Replication | undefined;
  #writer: CommitWriter | undefined;
  #look: (() => void) | undefined;
  #isSlotTooOld = false;
  #failure: unknown;
  #warnedAt = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** What went wrong last; undefined if it has worked since. */
  get failure(): unknown {
    return this.#failure;
  }

  /** How long ago the oldest commit was made that has been read and is not in the stream yet. 0: there is none. */
  get lagMs(): number {
    const oldest = this.#writer?.oldest;
    return oldest ? Math.max(0, Date.now() - oldest.committedAt.getTime()) : 0;
  }

  /** Somebody wants to hear of changes: from now on there is a slot. */
  want(): void {
    const isKnown = this.#isWanted && performance.now() - this.#lookedAt < lookEveryMs.leased;
    this.#isWanted = true;
    if (!isKnown) this.#look?.();
  }

  /** The database may be another one now: if somebody wants to hear of changes, it is looked at once. */
  lookAgain(): void {
    if (this.#isWanted) this.#look?.();
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
        if (!(await this.#turn())) await this.#rest();
      } catch (error) {
        if (signal.aborted) return;
        const isTaken = errorCode(error) === '55006';
        // The slot was made before the publications were: what it keeps cannot be told.
        this.#isSlotTooOld = errorCode(error) === '42704';
        if (!isTaken) this.#warn(error);
        if (isTaken) await this.#rest();
        else await this.#pause(retryMs, new AbortController());
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
    this.#options.log.warn({ err: error }, 'the change feed was interrupted and is being resumed');
  }

  /** Looks once, and reads the slot if nobody else does; false if there was nothing to do. */
  async #turn(): Promise<boolean> {
    const wasWanted = this.#isWanted;
    const state = await findReplicationSlot(this.#options.pool);
    if (wasWanted) this.#lookedAt = performance.now();
    if (!state.canDecode) return false;
    const isTooOld = this.#isSlotTooOld;
    this.#isSlotTooOld = false;
    if (state.isLost || isTooOld || (!state.exists && this.#isWanted))
      return this.#options.session(this.#stopping.signal, (connection) =>
        makeReplicationSlot(connection, isTooOld),
      );
    // There is none, it is being made, or another node reads it.
    if (state.confirmed === undefined || state.isHeld) return false;
    await this.#hold(state.name);
    return true;
  }

  async #hold(slot: string): Promise<void> {
    const { stream, log, server, publications, readRow } = this.#options;
    const over = new AbortController();
    let feed: FeedWriter | undefined;
    const writer = new CommitWriter({
      write: async (commits) => {
        if (feed) replication.confirm(await feed.write(commits));
      },
      onFailure: (error) => replication.fail(error),
    });
    const replication = new Replication({
      server,
      slot,
      publications,
      readRow,
      onCommit: (transaction) => writer.add(transaction),
      onIdle: (lsn) => {
        if (feed?.isReady && writer.isIdle) replication.confirm(stream.idle(lsn));
      },
    });
    this.#replication = replication;
    this.#writer = writer;
    if (this.#stopping.signal.aborted) return;
    try {
      await replication.run((source) => {
        this.#failure = undefined;
        log.info({ slot, timeline: source.timeline }, 'this node reads the change feed');
        feed = new FeedWriter(this.#options, { slot, source, signal: over.signal });
        // PostgreSQL takes a holder that confirms nothing for a dead one.
        feed.resume().then(
          (confirmed) => replication.confirm(confirmed),
          (error: unknown) => replication.fail(error),
        );
      });
    } finally {
      over.abort();
      await replication.stop();
      await writer.settled();
      this.#replication = undefined;
      this.#writer = undefined;
    }
  }

  /** Until it is time to look again. */
  async #rest(): Promise<void> {
    const { lease } = this.#options;
    if (lease.isHeld) return this.#pause(lookEveryMs.leased, new AbortController());
    const pause = new AbortController();
    const leased = lease.held(pause.signal).then(() => pause.abort());
    await this.#pause(lookEveryMs.other, pause);
    pause.abort();
    await leased;
  }

  async #pause(ms: number, pause: AbortController): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#look = () => pause.abort();
    await sleep(ms, undefined, { signal: pause.signal }).catch(() => {});
    this.#look = undefined;
  }
}
