import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeStream, Entry, Following, News } from '../../../platform/change-feed/change-stream.ts';
import {
  type FeedEpoch,
  isBefore,
  laterOf,
  origin,
  type Position,
} from '../../../platform/change-feed/position.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import type { Log } from '../../../platform/log.ts';
import { type Change, type OtherChange, readChange } from '../../data/index.ts';
import { Audience } from './audience.ts';
import { ChangeDelivery } from './change-delivery.ts';
import { type FeedCursor, formatCursor } from './feed-cursor.ts';
import { dependsOnUser } from './live-query.ts';
import { type Missed, missedBy, type PastDeps, stillSo } from './past.ts';
import type { Subscription } from './subscription.ts';

export interface ProjectFeedDeps extends PastDeps {
  readonly stream: ChangeStream;
  /** Something has changed that subscriptions depend on. Awaited: what was committed later is judged by it. */
  readonly onOther: (change: OtherChange) => Promise<void>;
  /** Such changes may have been missed, of all projects or of one. */
  readonly onGap: (project?: string) => Promise<void>;
  readonly log: Log;
}

/** How the changes of a project come to its feed. */
interface Source {
  /** Up to where the cell has been read. */
  head(): FeedCursor;
  /** Nobody is left. */
  onEmpty(): void;
}

/** Changes that are read at once. */
const batch = 500;
/** Changes that wait in memory to be told. What comes on top of them is read when it is due. */
const mostWaiting = 100;
/** Documents that a subscription comes to know of at once; with more than that to remember it reads again. */
const mostUntold = 10_000;
const retryMs = 300;

/**
 * The changes of one project as this node tells them, one after the other. Each project has a line of its own: one in
 * which much is to be told, or many subscriptions have to be renewed, keeps no other waiting.
 */
export class ProjectFeed {
  readonly audience = new Audience();
  readonly project: string;
  readonly #deps: ProjectFeedDeps;
  readonly #source: Source;
  readonly #delivery: ChangeDelivery;
  readonly #yielder: Yielder;
  /** From here on everything was kept when it began to be followed: nobody starts before it. */
  #floor: FeedCursor = { epoch: '', position: origin };
  #readers = 0;
  /** Heard of, and not yet told. */
  #waiting: (News | Entry)[] = [];
  /** There are changes after those that wait, up to here. */
  #unread: Position | undefined;
  /** Something cannot be told any more: everybody has to read again. */
  #hasGap = false;
  #isTelling = false;
  /** Up to where everything is told or being told, while there is something to tell. */
  #told: Position = origin;
  #telling: Promise<void> = Promise.resolve();

  constructor(project: string, deps: ProjectFeedDeps, source: Source) {
    this.project = project;
    this.#deps = deps;
    this.#source = source;
    this.#yielder = Yielder.forShortWork(project);
    const resync = (subscription: Subscription) => this.resync(subscription);
    this.#delivery = new ChangeDelivery(this.audience, deps, { resync, yielder: this.#yielder });
  }

  enter(): void {
    this.#readers += 1;
  }

  leave(): void {
    this.#readers -= 1;
    if (this.#readers > 0) return;
    this.#drop();
    this.#source.onEmpty();
  }

  /** Where the feed is now. */
  get cursor(): FeedCursor {
    const { epoch, position: head } = this.#source.head();
    const position = this.#isTelling ? this.#told : head;
    // What came before the floor can be read by whoever comes now.
    return { epoch, position: this.isFollowedIn(epoch) ? laterOf(position, this.#floor.position) : position };
  }

  isFollowedIn(epoch: FeedEpoch): boolean {
    return this.#floor.epoch === epoch;
  }

  /** Its changes are kept in this epoch. If they were not for a while, whoever is there has to read again. */
  followedIn(epoch: FeedEpoch, { floor, isNew }: Following): void {
    if (!this.isFollowedIn(epoch)) {
      this.#floor = { epoch, position: floor };
    } else if (isNew) {
      this.#hasGap = true;
      this.#beginTelling(this.#source.head().position);
    }
  }

  /** Is there everything that comes after a cursor? The node that told it may have been ahead of this one. */
  async knows({ epoch, position }: FeedCursor): Promise<boolean> {
    const head = this.#source.head();
    if (epoch !== head.epoch) return false;
    if (!isBefore(head.position, position)) return true;
    const reach = await this.#deps.stream.reach(epoch);
    return reach !== undefined && !isBefore(reach, position);
  }

  /** How many changes can wait here as a whole. */
  get room(): number {
    return this.#unread === undefined ? mostWaiting - this.#waiting.length : 0;
  }

  /** A change of the project has come, the first after `news.previous` in its cell. */
  hear(news: News | Entry): void {
    if (this.room === 0) this.#unread = news.position;
    else this.#waiting.push(news);
    this.#beginTelling(news.previous);
  }

  /** Forgets what waits. Resolves when nothing is being told any more. */
  async settle(): Promise<void> {
    this.#drop();
    await this.#telling;
  }

  /**
   * Sends a subscription what lies between its position and that of the feed, then lets it hear of changes as they come.
   * If some of that is no longer kept, it is told to read again.
   */
  async catchUp(subscription: Subscription): Promise<void> {
    while (!subscription.isEnded && !this.#isReached(subscription)) {
      const { epoch, position: after } = subscription;
      const upTo = this.cursor.position;
      const range = { project: this.project, after, upTo, most: batch };
      const found = await this.#deps.stream.history(epoch, range);
      if (subscription.isEnded) return;
      if (found === 'gone' || epoch !== this.cursor.epoch) {
        this.resync(subscription);
        break;
      }
      await this.#replay(found, subscription);
      const isAll = found.length < batch && isBefore(subscription.position, upTo);
      if (isAll) subscription.position = upTo;
      await subscription.outlet.drained();
    }
    // Nothing is awaited between the last look at the position and this.
    subscription.isLive = true;
  }

  /** Everybody reads again. */
  resyncAll(): void {
    for (const subscription of this.audience.all()) if (subscription.isLive) this.resync(subscription);
  }

  /** It hears what happens from now on, and has to read everything else. */
  resync(subscription: Subscription): void {
    const now = this.cursor;
    if (subscription.epoch !== now.epoch)
      subscription.seal = this.#deps.seals.seal(subscription.query.context, now);
    subscription.epoch = now.epoch;
    subscription.position = now.position;
    subscription.seen = undefined;
    subscription.untold.clear();
    subscription.isResumed = false;
    subscription.send('resync', '', formatCursor(subscription));
    this.#deps.onResync?.('gap');
  }

  #beginTelling(after: Position): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#told = after;
    this.#telling = this.#tellAll();
  }

  #drop(): void {
    this.#waiting = [];
    this.#unread = undefined;
    this.#hasGap = false;
  }

  async #tellAll(): Promise<void> {
    this.#yielder.begin();
    while (this.#hasGap || this.#waiting.length > 0 || this.#unread !== undefined) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      try {
        await (this.#hasGap ? this.#readAgain() : this.#tellNext());
      } catch (error) {
        // Nobody knows who has heard of it.
        this.#deps.log.warn({ err: error }, 'a change could not be told: live subscriptions read again');
        if (this.#hasGap) await sleep(retryMs);
        this.#hasGap = this.#readers > 0;
      }
    }
    this.#isTelling = false;
  }

  async #tellNext(): Promise<void> {
    const news = this.#waiting.shift();
    if (!news) return this.#readOn();
    // Set before anyone is told: a subscription that catches up meanwhile reads the entry, a live one is told.
    this.#told = news.position;
    const entry = await this.#whole(news);
    if (entry === 'gone') this.#hasGap = true;
    else if (entry) await this.#tell(entry);
  }

  /** Reads the next of those for which there was no room. */
  async #readOn(): Promise<void> {
    const upTo = this.#unread;
    if (upTo === undefined) return;
    const range = { project: this.project, after: this.#told, upTo, most: mostWaiting };
    const found = await this.#deps.stream.history(this.#source.head().epoch, range);
    if (this.#unread === undefined) return;
    if (found === 'gone') this.#hasGap = true;
    else this.#waiting = found;
    if (found.length < mostWaiting && this.#unread === upTo) this.#unread = undefined;
  }

  /** The change that is told of. Somebody may have come since it was read. */
  async #whole(news: News | Entry): Promise<Entry | 'gone' | undefined> {
    if ('fields' in news) return news;
    const { project, previous: after, position: upTo } = news;
    const range = { project, after, upTo, most: 1 };
    const found = await this.#deps.stream.history(this.#source.head().epoch, range);
    return found === 'gone' ? 'gone' : found[0];
  }

  async #tell(entry: Entry): Promise<void> {
    const change = readChange(entry.fields);
    if (!change) return;
    if (change.kind !== 'document') return this.#deps.onOther(change);
    const cursor = formatCursor({ ...this.cursor, position: entry.position });
    await this.#delivery.toAudience({ entry, change, cursor });
  }

  async #readAgain(): Promise<void> {
    this.#waiting = [];
    this.#unread = undefined;
    this.#told = this.#source.head().position;
    await this.#deps.onGap(this.project);
    this.#hasGap = false;
    this.resyncAll();
  }

  async #replay(entries: readonly Entry[], subscription: Subscription): Promise<void> {
    const missed = missedBy(subscription, entries);
    const isStillSo = await stillSo(this.#deps, subscription, missed);
    for (const one of missed) {
      const { position } = one.entry;
      if (this.#mustReadAgain(subscription, one)) return this.resync(subscription);
      const cursor = formatCursor({ ...this.cursor, position });
      await this.#delivery.toOne(subscription, one, { cursor, isStillSo: isStillSo(one) });
      subscription.position = position;
    }
  }

  #mustReadAgain(subscription: Subscription, { change, event }: Missed): boolean {
    const isTooMuch = event?.kind === 'unknown' || subscription.untold.size > mostUntold;
    return isTooMuch || altersSight(subscription, change);
  }

  #isReached({ epoch, position }: Subscription): boolean {
    const now = this.cursor;
    return epoch === now.epoch && !isBefore(position, now.position);
  }
}

/** Did what the subscription may see change while it was away? Earlier changes cannot be judged by what is valid now. */
function altersSight({ query }: Subscription, change: Change | undefined): boolean {
  const { project, principal } = query.context;
  if (!change || change.project !== project.id) return false;
  if (change.kind === 'collection') return change.id === String(query.collection.number);
  const isOwn = change.kind === 'user' && change.id === principal.user?.id;
  return isOwn && dependsOnUser(query);
}
