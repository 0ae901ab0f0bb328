import type { DeliveryHandler, Outcome } from './delivery.ts';
import { afterFailure, healthy, isProbed, needsPause, pauseOf, retryDelay } from './lane-health.ts';
import type { LaneHealth, ReadDelivery, Settled, TakenLane } from './lane-store.ts';
import type { ReadBytes } from './read-bytes.ts';

/** How many are read at once. */
const readAtOnce = 100;
const longestError = 500;

/** A lane that this node serves. */
export class HeldLane {
  readonly lane: TakenLane;
  readonly handler: DeliveryHandler;
  /** Read, and not begun. */
  queue: ReadDelivery[] = [];
  readonly running = new Set<string>();
  /** Done, and not written down. */
  finished: Settled[] = [];
  health: LaneHealth;
  pausedForMs = 0;
  /** Nothing more is begun. */
  isClosing = false;
  isReading = false;
  /** Something may have come since it was read last. */
  isDirty = false;
  leaseUntil: number;
  /** Since when there was nothing to do. */
  idleSince: number | undefined;
  /** How many were done since the log was last cut. */
  sinceTrim = 0;

  readonly #read: ReadBytes;

  constructor(lane: TakenLane, handler: DeliveryHandler, leaseUntil: number, read: ReadBytes) {
    this.#read = read;
    this.lane = lane;
    this.handler = handler;
    this.health = lane.health;
    this.leaseUntil = leaseUntil;
  }

  get canBegin(): boolean {
    const atOnce = this.lane.isOrdered || isProbed(this.health) ? 1 : this.handler.perLane;
    const isOwn = performance.now() < this.leaseUntil;
    return !this.isClosing && isOwn && this.queue.length > 0 && this.running.size < atOnce;
  }

  /** How many are to be read. */
  get room(): number {
    if (this.isClosing || this.queue.length > 0 || this.isHeldUp) return 0;
    return isProbed(this.health) ? 1 : readAtOnce;
  }

  /** The node has too much in memory already. */
  get isHeldUp(): boolean {
    return this.#read.isFull(this.lane.projectId);
  }

  /** They are to be begun. */
  add(deliveries: readonly ReadDelivery[]): void {
    this.queue.push(...deliveries);
    this.#read.add(this.lane.projectId, bytesOf(deliveries));
  }

  get isIdle(): boolean {
    return this.queue.length === 0 && this.running.size === 0 && this.finished.length === 0;
  }

  /** Nothing more is begun; what is under way ends. */
  close(): void {
    this.isClosing = true;
    this.#read.add(this.lane.projectId, -bytesOf(this.queue));
    this.queue = [];
  }

  /** What is to be written down of an attempt, after what it says of the lane. */
  settle(delivery: ReadDelivery, outcome: Outcome, ms: number): void {
    const { seq, attempts } = delivery;
    this.running.delete(seq);
    this.#read.add(this.lane.projectId, -bytesOf([delivery]));
    this.sinceTrim += 1;
    const tried = attempts + 1;
    const common = { seq, attempts: tried, ms, note: outcome.note ? JSON.stringify(outcome.note) : null };
    if (outcome.kind === 'done') {
      this.health = healthy;
      this.finished.push({ ...common, fate: 'delivered', error: null, delayS: 0 });
      return;
    }
    const error = outcome.error.replaceAll('\0', '').slice(0, longestError);
    const delayS = outcome.kind === 'dead' ? undefined : retryDelay(this.handler.retriesS, tried);
    const fate = delayS === undefined ? 'dead' : 'retried';
    this.finished.push({ ...common, fate, error, delayS: delayS ?? 0 });
    // A delivery that is of no use says nothing of who would have got it.
    if (outcome.kind === 'dead') return;
    this.health = afterFailure(this.health);
    this.#pause(outcome.kind === 'failed' ? (outcome.pauseMs ?? 0) : 0);
    if (this.lane.isOrdered && fate === 'retried') this.close();
  }

  #pause(wantedMs: number): void {
    const ms = needsPause(this.health) ? Math.max(wantedMs, pauseOf(this.health)) : wantedMs;
    if (ms === 0) return;
    // Several that fail at once are one reason to pause.
    if (!this.isClosing && needsPause(this.health))
      this.health = { ...this.health, pauses: this.health.pauses + 1 };
    this.pausedForMs = Math.max(this.pausedForMs, ms);
    this.close();
  }
}

const bytesOf = (deliveries: readonly ReadDelivery[]): number =>
  deliveries.reduce((sum, { payload }) => sum + payload.length, 0);
