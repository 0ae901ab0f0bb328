import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../../../calls/index.ts';
import type { ChangeStream } from '../../../platform/change-feed/change-stream.ts';
import type { FeedEpoch } from '../../../platform/change-feed/position.ts';
import { findReplicationSlot } from '../../../platform/change-feed/slot.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { errorCode } from '../../../platform/error-code.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import type { Log } from '../../../platform/log.ts';
import type { OtherChange } from '../../data/index.ts';
import { feedAway } from '../errors.ts';
import { CellFeed } from './cell-feed.ts';
import type { LiveQueryDeps } from './live-query.ts';
import { ProjectFeed } from './project-feed.ts';

export interface CellFeedsDeps extends LiveQueryDeps {
  readonly cells: Cells;
  readonly listeners: ReadonlyMap<number, InvalidationListener>;
  /** Undefined where this process cannot hear what others read. */
  readonly streamOf: ((cell: number) => ChangeStream) | undefined;
  /** Makes some node read the changes of a cell from now on. */
  readonly wantChanges: (cell: number) => void;
  /** Why they could not be read, if they could not. */
  readonly failureOf: (cell: number) => unknown;
  readonly log: Log;
}

/** Those who depend on more than documents: on users, sessions and the rules of collections. */
interface FeedWatcher {
  /** What to do once such a change can be read; undefined if it concerns nobody here. The next change waits for it. */
  renewalAfter(change: OtherChange): (() => Promise<void>) | undefined;
  /** Such changes may have been missed, of all projects or of one. */
  onGap(cell: number, project?: string): Promise<void>;
}

/** How long a subscription waits for the feed to be there. */
const patienceMs = 5000;
const lookEveryMs = 50;

/** The feeds of the cells that somebody on this node is subscribed to. */
export class CellFeeds {
  readonly #deps: CellFeedsDeps;
  readonly #watcher: FeedWatcher;
  readonly #feeds = new Map<number, CellFeed>();
  readonly #epochs = new Map<number, FeedEpoch>();
  /** How often any of them was. */
  #forgotten = 0;

  constructor(deps: CellFeedsDeps, watcher: FeedWatcher) {
    this.#deps = deps;
    this.#watcher = watcher;
    for (const [cell, listener] of deps.listeners) {
      const forget = () => {
        this.#epochs.delete(cell);
        this.#forgotten += 1;
      };
      listener.onTopic('feed', forget);
      listener.onGap(forget);
    }
  }

  /** The feed of a project, entered: whoever gets it has to leave it. */
  async enter({ id, cell }: Project): Promise<ProjectFeed> {
    const cellFeed = this.#feedOf(cell);
    this.#deps.wantChanges(cell);
    const until = performance.now() + patienceMs;
    for (;;) {
      const feed = await this.#tryToEnter(cellFeed, id);
      if (feed instanceof ProjectFeed) return feed;
      if (performance.now() > until) throw feedAway(feed ?? (await this.#whyAway(cell)));
      await sleep(lookEveryMs);
    }
  }

  /** Otherwise why not, if that is known. */
  async #tryToEnter(cellFeed: CellFeed, project: string): Promise<ProjectFeed | string | undefined> {
    try {
      return await cellFeed.enter(project);
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'the change feed cannot be read at the moment');
      return 'what carries them between nodes cannot be reached. Try again in a few seconds.';
    }
  }

  /** Resolves when the caches of this node know what was committed in a cell until now. */
  async caughtUp(cell: number): Promise<void> {
    await this.#deps.listeners.get(cell)?.caughtUp();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed.stop()));
  }

  #feedOf(cell: number): CellFeed {
    const { streamOf } = this.#deps;
    if (!streamOf) {
      throw feedAway(
        'this node has several processes and no Redis. Set REDIS_URL, or start it with one process.',
      );
    }
    let feed = this.#feeds.get(cell);
    if (!feed) {
      feed = new CellFeed({
        ...this.#deps,
        stream: streamOf(cell),
        findEpoch: () => this.#findEpoch(cell),
        onOther: (change) => this.#onOther(cell, change),
        caughtUp: () => this.caughtUp(cell),
        onGap: (project) => this.#watcher.onGap(cell, project),
      });
      this.#feeds.set(cell, feed);
    }
    return feed;
  }

  /** Later changes are judged by what this one has made of users, sessions and rules. */
  async #onOther(cell: number, change: OtherChange): Promise<void> {
    const renew = this.#watcher.renewalAfter(change);
    if (!renew) return;
    if (change.kind === 'collection' || change.kind === 'links') await this.caughtUp(cell);
    await renew();
  }

  async #findEpoch(cell: number): Promise<FeedEpoch | undefined> {
    const { cells, listeners } = this.#deps;
    const known = this.#epochs.get(cell);
    if (known !== undefined && listeners.get(cell)?.isCurrent) return known;
    const before = this.#forgotten;
    const { epoch } = await findReplicationSlot(cells.lookupPool(cell));
    // What was read while another epoch began may be the one before.
    if (epoch !== undefined && this.#forgotten === before) this.#epochs.set(cell, epoch);
    return epoch;
  }

  async #whyAway(cell: number): Promise<string> {
    const { canDecode, isHeld } = await findReplicationSlot(this.#deps.cells.lookupPool(cell));
    if (!canDecode) return 'PostgreSQL does not keep them. It has to run with wal_level = logical.';
    if (isHeld) return 'another node reads them, and this one has no Redis to hear of them. Set REDIS_URL.';
    const code = errorCode(this.#deps.failureOf(cell)) ?? '';
    return reasons[code] ?? 'no node reads them yet. Try again in a few seconds.';
  }
}

/** What an operator can do something about, by PostgreSQL's code. */
const reasons: Readonly<Record<string, string>> = {
  '42501': 'the role that the service has in PostgreSQL may not replicate. Give it REPLICATION.',
  '53400': 'all replication slots of PostgreSQL are in use. Raise max_replication_slots.',
};
