import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import type { ChangeStream, Entry } from './change-stream.ts';
import { isBefore, type Position, positionOf } from './position.ts';
import { type CommittedTransaction, Replication } from './replication.ts';
import { createSlot, findSlot, type SlotState, setEpoch } from './slot.ts';

export interface RelayOptions {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly stream: ChangeStream;
  readonly publications: readonly string[];
  /** What of a commit is to be told, in order. */
  readonly fieldsOf: (transaction: CommittedTransaction) => Record<string, string>[];
  readonly log: Log;
}

/** How long a node that does not hold the slot waits before it looks again. */
const lookEveryMs = 1000;
const retryMs = 500;
const warnEveryMs = 30_000;

/**
 * Carries the changes of a cell from the log of PostgreSQL into the stream. Every node tries to; the slot lets one of
 * them, and the next as soon as that one is gone. There is no slot before somebody wants to hear of changes.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  #isWanted = false;
  #running: Promise<void> | undefined;
  #replication: Replication | undefined;
  #holding: { epoch: string; last: Position } | undefined;
  #look: (() => void) | undefined;
  #failure: unknown;
  #warnedAt = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** What went wrong last, if it has not gone well since. */
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
        const isTaken = (error as { code?: string }).code === '55006';
        if (!isTaken) this.#warn(error);
        await this.#pause(isTaken ? lookEveryMs : retryMs);
      }
    }
  }

  /** What goes wrong in the same way again and again is said once in a while. */
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
    const state = await findSlot(pool);
    if (!state.canDecode || (state.confirmed === undefined && !state.isLost && !this.#isWanted)) return false;
    if (state.confirmed === undefined) {
      await createSlot(pool, state);
      return true;
    }
    if (state.isHeld) return false;
    await this.#hold(state);
    return true;
  }

  async #hold(state: SlotState): Promise<void> {
    const { stream, log, databaseUrl, publications } = this.#options;
    let taking: Promise<{ epoch: string; last: Position }> | undefined;
    const replication = new Replication({
      databaseUrl,
      slot: state.slot,
      publications,
      onCommit: async (transaction) => {
        this.#holding ??= await taking!;
        replication.confirm(await this.#write(state.slot, transaction));
      },
      onIdle: (lsn) => {
        if (this.#holding) replication.confirm(stream.idle(lsn));
      },
    });
    this.#replication = replication;
    if (this.#stopping.signal.aborted) return;
    try {
      await replication.run(() => {
        this.#failure = undefined;
        log.info({ slot: state.slot }, 'this node reads the change feed');
        taking = this.#takeUp(state.slot);
        taking.then(
          (holding) => (this.#holding ??= holding),
          () => replication.stop(),
        );
      });
      // If it ended because there was nowhere to write to, this says so.
      await taking;
    } finally {
      this.#holding = undefined;
      this.#replication = undefined;
      await replication.stop();
    }
  }

  /** Where to go on, or another epoch if that cannot be without a gap. */
  async #takeUp(slot: string): Promise<{ epoch: string; last: Position }> {
    const { pool, stream } = this.#options;
    const { epoch, confirmed = 0n } = await findSlot(pool);
    const last = epoch === undefined ? undefined : await stream.resume(epoch, confirmed);
    if (epoch !== undefined && last !== undefined) return { epoch, last };
    return this.#beginEpoch(slot, confirmed, epoch);
  }

  async #beginEpoch(slot: string, from: bigint, former?: string): Promise<{ epoch: string; last: Position }> {
    const { pool, stream, log } = this.#options;
    const epoch = randomUUID();
    const last = await stream.begin(epoch, from, former);
    await setEpoch(pool, slot, epoch);
    log.info({ slot, epoch }, 'a new epoch of the change feed: live subscriptions read again');
    return { epoch, last };
  }

  /** Writes a commit, and says what PostgreSQL may forget. */
  async #write(slot: string, transaction: CommittedTransaction): Promise<bigint> {
    const { stream, fieldsOf } = this.#options;
    const { endLsn, xid } = transaction;
    const entries: Entry[] = [];
    let previous = this.#holding!.last;
    for (const [index, fields] of fieldsOf(transaction).entries()) {
      const position = positionOf(endLsn, index + 1);
      // It was written before, by this process or by the one that held the slot.
      if (!isBefore(previous, position)) continue;
      entries.push({ position, previous, xid, fields });
      previous = position;
    }
    if (entries.length === 0) return stream.idle(endLsn);
    const needless = await stream.append(this.#holding!.epoch, entries);
    if (needless !== undefined) {
      this.#holding!.last = previous;
      return needless;
    }
    // What was written before is gone: nobody can go on from it.
    this.#holding = await this.#beginEpoch(slot, endLsn - 1n, this.#holding!.epoch);
    return this.#write(slot, transaction);
  }

  async #pause(ms: number): Promise<void> {
    if (ms === 0 || this.#stopping.signal.aborted) return;
    const waiting = new AbortController();
    this.#look = () => waiting.abort();
    await sleep(ms, undefined, { signal: waiting.signal }).catch(() => {});
    this.#look = undefined;
  }
}
