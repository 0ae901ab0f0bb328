import type { EventKind, Project } from '../../calls/index.ts';
import { andThen, type NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import type { Cells } from '../../platform/db/cells.ts';
import type { ProjectDb, ProjectLocation } from '../../platform/db/project-db.ts';
import { CachedLookup } from '../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../platform/invalidation/invalidation-listener.ts';
import type { DisabledReason } from './delivery.ts';
import { patternsOf, type Subscriber } from './subscriber.ts';
import {
  disableSubscriber,
  enableSubscriber,
  listSubscribers,
  notifyChanged,
  removeSubscriber,
  type SubscriberWish,
  saveFullness,
  saveSubscriber,
} from './subscriber-store.ts';

/** Does a record, as JSON, pass the filter of a subscriber? */
type RecordTest = (record: string) => boolean;

/** A subscriber as those who write need to know it. */
export interface Listener {
  readonly lane: number;
  readonly kind: string;
  readonly name: string;
  readonly isFull: boolean;
  /** Absent: it wants all of them. */
  readonly passes?: RecordTest;
}

/** Who in a project wants to hear of what. */
interface Listeners {
  /** Absent: nobody wants to hear of anything. */
  readonly byPattern?: ReadonlyMap<string, readonly Listener[]>;
}

const nobody: Listeners = Object.freeze({});

const none: readonly Listener[] = Object.freeze([]);

interface SubscriberDeps {
  readonly cells: Cells;
  readonly listeners: ReadonlyMap<number, InvalidationListener>;
  /** Reads a filter of the query language. */
  readonly readFilter: (filter: string) => Promise<RecordTest>;
}

/** Who is told what, from memory where that can be trusted: a write that nobody hears of costs one look there. */
export class Subscribers {
  readonly #byCell: ReadonlyMap<number, CachedLookup<Listeners>>;

  constructor({ cells, listeners, readFilter }: SubscriberDeps) {
    const load = async (project: ProjectLocation): Promise<Listeners> => {
      const served = (await listSubscribers(cells.lookups(project))).filter(
        ({ disabledAt }) => disabledAt === null,
      );
      return served.length === 0 ? nobody : { byPattern: await byPattern(served, readFilter) };
    };
    this.#byCell = new Map(
      Array.from(listeners, ([cell, listener]) => {
        const options = { max: 50_000, topic: 'subscribers', load: (id: string) => load({ id, cell }) };
        return [cell, new CachedLookup(listener, options)];
      }),
    );
  }

  /** Those who want to hear of an event, each once. */
  listenersFor({ id, cell }: Pick<Project, 'id' | 'cell'>, kind: EventKind): NowOrLater<readonly Listener[]> {
    return andThen(this.#byCell.get(cell)?.get(id), (known) => {
      const { byPattern } = known ?? nobody;
      if (!byPattern) return none;
      const found = new Set(patternsOf(kind).flatMap((pattern) => byPattern.get(pattern) ?? none));
      return found.size === 0 ? none : [...found];
    });
  }

  /** Adds a subscriber, or changes the one of that kind and name. */
  async save(db: ProjectDb, wish: Pick<Subscriber, 'kind' | 'name'> & SubscriberWish): Promise<Subscriber> {
    return db.transaction(async (db) => {
      const saved = await saveSubscriber(db, wish);
      await this.#changed(db);
      return saved;
    });
  }

  /** Removes a subscriber with everything that it was still to be told. */
  async remove(db: ProjectDb, lane: number): Promise<void> {
    await db.transaction(async (db) => {
      await removeSubscriber(db, lane);
      await this.#changed(db);
    });
  }

  async enable(db: ProjectDb, lane: number): Promise<void> {
    await db.transaction(async (db) => {
      await enableSubscriber(db, lane);
      await this.#changed(db);
    });
  }

  /** False: it was not served anyway. */
  async disable(db: ProjectDb, lane: number, reason: DisabledReason): Promise<boolean> {
    return db.transaction(async (db) => {
      const isDisabled = await disableSubscriber(db, lane, reason);
      if (isDisabled) await this.#changed(db);
      return isDisabled;
    });
  }

  /** Says whether a subscriber has more waiting than may wait. */
  async setFull(db: ProjectDb, lane: number, isFull: boolean): Promise<void> {
    await db.transaction(async (db) => {
      if (await saveFullness(db, lane, isFull)) await this.#changed(db);
    });
  }

  /** Tells every node. This one knows before the call is answered, so that whoever writes next is heard. */
  async #changed(db: ProjectDb): Promise<void> {
    await notifyChanged(db);
    db.afterCommit(() => {
      for (const lookup of this.#byCell.values()) lookup.forget(db.scope.projectId);
    });
  }
}

async function byPattern(
  subscribers: readonly Subscriber[],
  readFilter: (filter: string) => Promise<RecordTest>,
): Promise<Map<string, Listener[]>> {
  const found = new Map<string, Listener[]>();
  for (const { lane, kind, name, isFull, events, filter } of subscribers) {
    const passes = filter === null ? undefined : await readFilter(filter);
    const listener = { lane, kind, name, isFull, ...(passes && { passes }) };
    for (const pattern of events) found.set(pattern, [...(found.get(pattern) ?? []), listener]);
  }
  return found;
}
