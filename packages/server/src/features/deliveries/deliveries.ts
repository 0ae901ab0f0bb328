import type {
  EventKind,
  EventLog,
  EventRecorder,
  Events,
  Happened,
  RequestContext,
} from '../../calls/index.ts';
import { andThen, type NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import type { Cells } from '../../platform/db/cells.ts';
import type { ProjectDb, ProjectLocation } from '../../platform/db/project-db.ts';
import { guarded, reporting } from '../../platform/guarded.ts';
import { newRequestId } from '../../platform/ids.ts';
import { type Lease, ownLease } from '../../platform/leases/lease.ts';
import type { Log } from '../../platform/log.ts';
import type { Registry } from '../../platform/metrics/registry.ts';
import type { DeliveryHandler, DisabledReason } from './delivery.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { insertDeliveries, type NewEvent } from './delivery-store.ts';
import { LaneDispatcher } from './dispatcher.ts';
import { tooManyDeliveries } from './errors.ts';
import { type ReplayWish, replayKept } from './kept-store.ts';
import type { TakenLane } from './lane-store.ts';
import { NewEvents } from './new-events.ts';
import { callerOf, isTooMuch, payloadOf } from './payload.ts';
import { ReadBytes } from './read-bytes.ts';
import type { Listener, Subscribers } from './subscribers.ts';
import { watchFullness } from './watch-fullness.ts';

const watchEveryMs = 15_000;

export interface DeliveryDeps {
  readonly cells: Cells;
  readonly subscribers: Subscribers;
  /** How many deliveries of each cell are under way at once; 0: others do them. */
  readonly concurrency: number;
  /** Which processes look in a cell for what is due. */
  readonly leaseOf?: (cell: number) => Lease;
  /** What may be in memory of all that is to be told. */
  readonly read?: ReadBytes;
  readonly log: Log;
  /** A subscriber is no longer served. */
  readonly onDisabled: (
    project: ProjectLocation,
    subscriber: Pick<TakenLane, 'kind' | 'name'>,
    why: { readonly reason: DisabledReason; readonly error: string },
  ) => Promise<void>;
}

/** Writes down what happens for those who want to be told, and tells them. */
export class Deliveries implements EventLog {
  readonly #deps: DeliveryDeps;
  readonly #metrics = new DeliveryMetrics();
  readonly #handlers = new Map<string, DeliveryHandler>();
  readonly #dispatchers: ReadonlyMap<number, LaneDispatcher>;
  #watch: NodeJS.Timeout | undefined;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    const { cells, concurrency, read = new ReadBytes(), log } = deps;
    const leaseOf = deps.leaseOf ?? (() => ownLease);
    this.#dispatchers = new Map(
      cells.numbers.map((cell) => [
        cell,
        new LaneDispatcher({
          cell,
          pool: cells.pool(cell),
          handlers: this.#handlers,
          concurrency,
          looksOften: () => leaseOf(cell).isHeld,
          read,
          log,
          onSettled: this.#metrics.noteSettled,
          disable: (lane, reason, error) => this.disable(cell, lane, reason, error),
        }),
      ]),
    );
  }

  addMetrics(metrics: Registry): void {
    this.#metrics.addMetrics(metrics);
  }

  /** Says who tells the subscribers of a kind: before the node starts. */
  handle(kind: string, handler: DeliveryHandler): void {
    this.#handlers.set(kind, handler);
  }

  start(): void {
    for (const dispatcher of this.#dispatchers.values()) dispatcher.start();
    const { cells, subscribers, concurrency, log } = this.#deps;
    if (concurrency === 0) return;
    const failed = reporting(log, 'waiting deliveries could not be counted');
    const watch = async () => {
      for (const cell of cells.numbers)
        await watchFullness({ cells, subscribers, disable: this.disable }, cell).then(
          (lanes) => this.#metrics.noteWaiting(cell, lanes),
          failed,
        );
    };
    this.#watch = setInterval(guarded(failed, watch), watchEveryMs * (0.9 + Math.random() * 0.2)).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all(Array.from(this.#dispatchers.values(), (dispatcher) => dispatcher.stop()));
  }

  recorderFor(project: ProjectLocation, kind: EventKind): NowOrLater<EventRecorder | undefined> {
    return andThen(this.#deps.subscribers.listenersFor(project, kind), (listeners) =>
      listeners.length === 0 ? undefined : this.#recorder(kind, listeners),
    );
  }

  #recorder(kind: EventKind, listeners: readonly Listener[]): EventRecorder {
    const eventsOf = (context: RequestContext, happened: readonly Happened[]) =>
      this.#eventsOf(context, kind, { happened, listeners });
    return {
      eventsOf,
      record: async (context, happened) => eventsOf(context, happened)?.write(context.db),
    };
  }

  /** Writes down what lanes are to be told, in the transaction of its cause, and begins once that is committed. */
  async add(
    db: ProjectDb,
    { cell, id: projectId }: ProjectLocation,
    events: readonly NewEvent[],
  ): Promise<void> {
    await insertDeliveries(db, events);
    db.afterCommit(() => this.#hintAll({ cell, id: projectId }, events));
  }

  /** Puts what has ended back into its lane; returns how many there were. */
  async replay(
    db: ProjectDb,
    { cell, id }: ProjectLocation,
    lane: number,
    wish: ReplayWish,
  ): Promise<number> {
    const count = await replayKept(db, lane, wish);
    db.afterCommit(() => this.hint(cell, { projectId: id, lane }));
    return count;
  }

  /** Something is due in a lane. */
  hint(cell: number, lane: { readonly projectId: string; readonly lane: number }): void {
    this.#dispatchers.get(cell)?.hint(lane);
  }

  #hintAll({ cell, id: projectId }: ProjectLocation, events: readonly NewEvent[]): void {
    for (const lane of new Set(events.flatMap(({ lanes }) => lanes))) this.hint(cell, { projectId, lane });
  }

  /** Serves a subscriber no more, and says so. */
  readonly disable = async (
    cell: number,
    { projectId, lane, kind, name }: Pick<TakenLane, 'projectId' | 'lane' | 'kind' | 'name'>,
    reason: DisabledReason,
    error: string,
  ): Promise<void> => {
    const { cells, subscribers, onDisabled } = this.#deps;
    const project = { id: projectId, cell };
    if (await subscribers.disable(cells.forProject(project), lane, reason))
      await onDisabled(project, { kind, name }, { reason, error });
  };

  #eventsOf(
    context: RequestContext,
    kind: EventKind,
    { happened, listeners }: { happened: readonly Happened[]; listeners: readonly Listener[] },
  ): Events | undefined {
    const at = new Date().toISOString();
    const isCut = isTooMuch(happened, listeners.length);
    const events = happened.flatMap((one) => {
      const told = listeners.filter(({ passes }) => !passes || passes(one.record));
      // Nobody is kept from signing in because somebody else is slow to hear of it.
      const full = kind.collection === undefined ? undefined : told.find(({ isFull }) => isFull);
      if (full) throw tooManyDeliveries(`${full.kind} ${full.name}`);
      if (told.length === 0) return [];
      const id = newRequestId();
      const payload = payloadOf({ kind, id, at, userId: callerOf(context) }, one, isCut);
      const lanes = told.map(({ lane }) => lane);
      return [{ id, event: kind.event, payload, depth: context.depth ?? 0, lanes }];
    });
    if (events.length === 0) return undefined;
    return new NewEvents(events, {
      add: (db) => this.add(db, context.project, events),
      hint: () => this.#hintAll(context.project, events),
    });
  }
}
