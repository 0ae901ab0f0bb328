import { setTimeout as sleep } from 'node:timers/promises';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { guarded, reporting } from '../../platform/guarded.ts';
import type { Log } from '../../platform/log.ts';
import type { DeliveryHandler, DisabledReason, Outcome } from './delivery.ts';
import type { HeldLane } from './held-lane.ts';
import { isGivenUp } from './lane-health.ts';
import { LaneLeases } from './lane-leases.ts';
import {
  type LaneKey,
  type ReadDelivery,
  type Settled,
  settleAndRead,
  type TakenLane,
  trimLane,
} from './lane-store.ts';
import type { ReadBytes } from './read-bytes.ts';
import { Turns } from './turns.ts';

/** How often it is looked after what: see the README. */
const everyMs = { tick: 250, look: 1000, help: 15_000, walk: 5000, renew: 10_000 };
const lingerMs = 300;
const settleAfterMs = 500;
/** Statements of all lanes at once, and of one project. */
const statements = { all: 4, ofOne: 2, waitMs: 30_000 };
const stopsWithinMs = 10_000;
/** Attempts and dead that a lane keeps; cut after so many more. */
const kept = {
  attempts: { count: 1000, bytes: 4 * 1_048_576 },
  dead: { count: 10_000, bytes: 64 * 1_048_576 },
  cutAfter: 200,
};

export interface DispatcherDeps {
  readonly cell: number;
  readonly pool: Pool;
  readonly handlers: ReadonlyMap<string, DeliveryHandler>;
  /** How many deliveries are under way at once. */
  readonly concurrency: number;
  /** Does this process look often for what is due? Others only help now and then. */
  readonly looksOften: () => boolean;
  readonly read: ReadBytes;
  readonly log: Log;
  /** What became of some is written down. */
  readonly onSettled: (settled: readonly Settled[]) => void;
  /** Serves a subscriber no more. */
  readonly disable: (lane: TakenLane, reason: DisabledReason, error: string) => Promise<void>;
}

/** Serves the lanes of a cell: leases them, tells their subscribers, and writes down how it went. */
export class LaneDispatcher {
  readonly #deps: DispatcherDeps;
  readonly #leases: LaneLeases;
  readonly #turns: Turns;
  readonly #statements = new FairSemaphore(statements.all, statements.ofOne);
  readonly #aborted = new AbortController();
  readonly #due = new Map<keyof typeof everyMs, number>();
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#turns = new Turns(deps.concurrency);
    this.#leases = new LaneLeases({
      ...deps,
      onTaken: (held) => {
        if (this.#isStopped) held.close();
        this.#keep(this.#refill(held));
      },
    });
  }

  start(): void {
    if (this.#deps.concurrency === 0) return;
    const failed = reporting(this.#deps.log, 'deliveries could not be dispatched');
    this.#timer = setInterval(
      guarded(failed, () => this.#tick()),
      everyMs.tick,
    ).unref();
  }

  /** Something was written for a lane, and is committed. */
  hint(lane: LaneKey): void {
    if (this.#isStopped || this.#deps.concurrency === 0) return;
    const held = this.#leases.find(lane);
    if (held) {
      held.isDirty = true;
      if (held.queue.length === 0) this.#keep(this.#refill(held));
      return;
    }
    const isFirst = !this.#leases.wants;
    this.#leases.want(lane);
    if (isFirst) setImmediate(guarded(this.#report, () => this.#keep(this.#leases.takeWanted())));
  }

  /** Begins nothing more, and waits a while for what is under way. What does not end is done again by others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const held of this.#leases.held) {
      held.close();
      this.#turns.remove(held);
    }
    const giveUpAt = performance.now() + stopsWithinMs;
    while (this.#turns.running > 0 && performance.now() < giveUpAt) await sleep(20);
    this.#aborted.abort();
    while (this.#underWay.size > 0 && performance.now() < giveUpAt + stopsWithinMs)
      await Promise.race([...this.#underWay, sleep(20)]);
    await Promise.all(Array.from(this.#leases.held, (held) => this.#leave(held)));
  }

  async #leave(held: HeldLane): Promise<void> {
    try {
      await this.#refill(held);
      await this.#release(held);
    } catch (error) {
      this.#deps.log.warn({ err: error, cell: this.#deps.cell }, 'a lane of deliveries is left to its lease');
    }
  }

  readonly #report = (error: unknown): void => {
    if (!this.#isStopped)
      this.#deps.log.warn(
        { err: error, cell: this.#deps.cell },
        'deliveries of a cell are waiting; they will be retried',
      );
  };

  /** Remembers work that nobody waits for until it has ended. */
  #keep(work: Promise<void>): void {
    const kept = work.catch(this.#report).finally(() => this.#underWay.delete(kept));
    this.#underWay.add(kept);
  }

  #isDue(what: keyof typeof everyMs): boolean {
    const now = performance.now();
    if (now < (this.#due.get(what) ?? 0)) return false;
    this.#due.set(what, now + everyMs[what] * (0.9 + Math.random() * 0.2));
    return true;
  }

  #tick(): void {
    if (this.#isStopped) return;
    const now = performance.now();
    for (const held of this.#leases.held) {
      if (held.isReading) continue;
      if (held.finished.length > 0 && now - (held.idleSince ?? 0) > settleAfterMs)
        this.#keep(this.#refill(held));
      else if (held.isIdle && (held.isClosing || now - (held.idleSince ?? now) > lingerMs))
        this.#keep(held.isDirty && !held.isClosing ? this.#refill(held) : this.#release(held));
    }
    if (this.#leases.wants) this.#keep(this.#leases.takeWanted());
    if (this.#isDue(this.#deps.looksOften() ? 'look' : 'help')) this.#keep(this.#look());
    if (this.#isDue('renew')) this.#keep(this.#leases.renew());
    this.#pump();
  }

  async #look(): Promise<void> {
    await this.#leases.takeDue();
    if (this.#isDue('walk')) await this.#leases.takeForgotten();
  }

  /** Begins what can be begun, in turns. */
  #pump(): void {
    if (this.#isStopped) return;
    for (let held = this.#turns.next(); held; held = this.#turns.next()) {
      const delivery = held.queue.shift()!;
      held.running.add(delivery.seq);
      if (held.queue.length === 0) {
        this.#turns.remove(held);
        if (!held.lane.isOrdered) this.#keep(this.#refill(held));
      }
      this.#keep(this.#run(held, delivery));
    }
  }

  async #run(held: HeldLane, delivery: ReadDelivery): Promise<void> {
    const begunAt = performance.now();
    const outcome = await this.#attempt(held, delivery);
    held.settle(delivery, outcome, performance.now() - begunAt);
    this.#turns.leave(held);
    held.idleSince ??= performance.now();
    if (held.isClosing) this.#turns.remove(held);
    const { lane } = held;
    if (outcome.kind === 'gone') await this.#disable(held, 'gone', outcome.error);
    else if (outcome.kind === 'failed' && isGivenUp(held.health))
      await this.#disable(held, 'failing', outcome.error);
    if (held.queue.length === 0) this.#keep(this.#refill(held));
    else if (lane.isOrdered) this.#turns.add(held);
    this.#pump();
  }

  async #disable(held: HeldLane, reason: DisabledReason, error: string): Promise<void> {
    held.close();
    this.#turns.remove(held);
    await this.#deps.disable(held.lane, reason, error);
  }

  async #attempt({ lane, handler }: HeldLane, delivery: ReadDelivery): Promise<Outcome> {
    const { seq: _, attempts, ...read } = delivery;
    if (handler.mostDepth !== undefined && delivery.depth > handler.mostDepth)
      return {
        kind: 'dead',
        error: `hook_depth: more than ${handler.mostDepth} hooks in a row led to this.`,
      };
    const signal = AbortSignal.any([this.#aborted.signal, AbortSignal.timeout(handler.timeoutMs)]);
    const { cell } = this.#deps;
    const { projectId } = lane;
    try {
      return await handler.deliver(
        { ...read, cell, projectId, lane: lane.lane, attempt: attempts + 1, subscriber: lane },
        signal,
      );
    } catch (error) {
      return { kind: 'failed', error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Writes down what was done, and reads what is next. */
  async #refill(held: HeldLane): Promise<void> {
    if (held.isReading) {
      held.isDirty = true;
      return;
    }
    const { isHeldUp } = held;
    if (held.room === 0 && held.finished.length === 0) {
      // It is looked at again when it has waited a while.
      held.isDirty ||= isHeldUp;
      held.idleSince ??= performance.now();
      return;
    }
    held.isReading = true;
    held.isDirty = isHeldUp;
    const settled = held.finished;
    held.finished = [];
    try {
      const rows = await this.#statement(held, () =>
        settleAndRead(this.#deps.pool, held.lane, {
          settled,
          keepsLog: held.handler.keepsLog,
          // Whatever ended since the statement was asked for is not written down yet.
          running: [...held.running, ...held.finished.map(({ seq }) => seq)],
          limit: held.room,
        }),
      );
      this.#deps.onSettled(settled);
      if (!held.isClosing) held.add(rows);
    } catch (error) {
      held.finished = [...settled, ...held.finished];
      held.idleSince = performance.now();
      throw error;
    } finally {
      held.isReading = false;
    }
    if (held.queue.length > 0) this.#turns.add(held);
    held.idleSince = performance.now();
    if (held.handler.keepsLog && held.sinceTrim >= kept.cutAfter) await this.#trim(held);
    this.#pump();
    if (held.isDirty && held.queue.length === 0 && !this.#isStopped) this.#keep(this.#refill(held));
  }

  async #trim(held: HeldLane): Promise<void> {
    held.sinceTrim = 0;
    await this.#statement(held, () => trimLane(this.#deps.pool, held.lane, kept));
  }

  async #release(held: HeldLane): Promise<void> {
    this.#leases.drop(held);
    this.#turns.remove(held);
    if (held.handler.keepsLog && held.sinceTrim > 0) await this.#trim(held);
    const isDue = await this.#leases.release(held);
    if (isDue) this.hint(held.lane);
  }

  /** Lanes of all projects share few connections, in turns. */
  async #statement<Result>({ lane }: HeldLane, work: () => Promise<Result>): Promise<Result> {
    const done = await this.#statements.run(lane.projectId, statements.waitMs, async () => ({
      result: await work(),
    }));
    if (!done) throw new Error('The statements of deliveries keep each other waiting.');
    return done.result;
  }
}
