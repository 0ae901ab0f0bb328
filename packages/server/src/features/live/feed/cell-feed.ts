import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeStream, Entry, News } from '../../../platform/change-feed/change-stream.ts';
import { type FeedEpoch, isBefore, origin, type Position } from '../../../platform/change-feed/position.ts';
import type { Log } from '../../../platform/log.ts';
import { type Change, type OtherChange, readChange } from '../../data/index.ts';
import { Audience } from './audience.ts';
import { ChangeDelivery } from './change-delivery.ts';
import { type FeedCursor, formatCursor } from './feed-cursor.ts';
import { dependsOnUser, type LiveQueryDeps } from './live-query.ts';
import { type Missed, missedBy, stillSo } from './past.ts';
import type { Subscription } from './subscription.ts';

export interface CellFeedDeps extends LiveQueryDeps {
  readonly stream: ChangeStream;
  /** The epoch that the cell is in now; undefined while there is none. */
  readonly findEpoch: () => Promise<FeedEpoch | undefined>;
  /** Something has changed that subscriptions depend on. Awaited: what was committed later is judged by it. */
  readonly onOther: (change: OtherChange) => Promise<void>;
  /** Does anybody on this node want to hear of the project? */
  readonly isWatched: (project: string) => boolean;
  /** Such changes may have been missed, of all projects or of one. */
  readonly onGap: (project?: string) => Promise<void>;
  /** Resolves when the caches of this node know what was committed until now. */
  readonly caughtUp: () => Promise<void>;
  readonly log: Log;
}

const batch = 500;
const waitMs = 1000;
const retryMs = 300;
/** Documents that a subscription comes to know of at once; with more than that to remember it reads again. */
const mostUntold = 10_000;
const tellEveryMs = 10_000;
/** A subscription that heard nothing for this long is told where it is. */
const silentMs = 60_000;

/** The changes of a cell as this node reads them, one after the other, for as long as somebody is subscribed. */
export class CellFeed {
  readonly audience = new Audience();
  readonly #deps: CellFeedDeps;
  readonly #delivery: ChangeDelivery;
  /** Empty until the first `enter`. */
  #epoch: FeedEpoch = '';
  #position: Position = origin;
  #running: Promise<void> | undefined;
  #readers = 0;
  #isStopped = false;
  #toldAt = 0;

  constructor(deps: CellFeedDeps) {
    this.#deps = deps;
    this.#delivery = new ChangeDelivery(this.audience, deps, (subscription) => this.#resync(subscription));
  }

  /** Reads from now on, until as many have left as have entered; false if there is nothing to read from. */
  async enter(): Promise<boolean> {
    this.#readers += 1;
    try {
      if (this.#running || (await this.#begin())) {
        this.#running ??= this.#run();
        return true;
      }
    } catch (error) {
      this.#readers -= 1;
      throw error;
    }
    this.#readers -= 1;
    return false;
  }

  leave(): void {
    this.#readers -= 1;
  }

  /** Where the feed is now. */
  get cursor(): FeedCursor {
    return { epoch: this.#epoch, position: this.#position };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /**
   * Sends a subscription what lies between its position and that of the feed, then lets it hear of changes as they come.
   * If some of that is no longer kept, it is told to read again.
   */
  async catchUp(subscription: Subscription): Promise<void> {
    while (!subscription.isEnded && !this.#isReached(subscription)) {
      const { epoch, position: after } = subscription;
      const range = { project: subscription.query.context.project.id, after, upTo: this.#position };
      const found = await this.#deps.stream.history(epoch, { ...range, most: batch });
      if (subscription.isEnded) return;
      if (found === 'gone' || epoch !== this.#epoch) {
        this.#resync(subscription);
        break;
      }
      await this.#replay(found, subscription);
      const isAll = found.length < batch && isBefore(subscription.position, range.upTo);
      if (isAll) subscription.position = range.upTo;
      await subscription.outlet.drained();
    }
    // Nothing is awaited between the last look at the position and this.
    subscription.isLive = true;
  }

  async #replay(entries: readonly Entry[], subscription: Subscription): Promise<void> {
    const missed = missedBy(subscription, entries);
    const isStillSo = await stillSo(this.#deps, subscription, missed);
    for (const one of missed) {
      const { position } = one.entry;
      if (this.#mustReadAgain(subscription, one)) return this.#resync(subscription);
      const cursor = this.#cursorAt(position);
      await this.#delivery.toOne(subscription, one, { cursor, isStillSo: isStillSo(one) });
      subscription.position = position;
    }
  }

  #mustReadAgain(subscription: Subscription, { change, event }: Missed): boolean {
    const isTooMuch = event?.kind === 'unknown' || subscription.untold.size > mostUntold;
    return isTooMuch || altersSight(subscription, change);
  }

  #isReached({ epoch, position }: Subscription): boolean {
    return epoch === this.#epoch && !isBefore(position, this.#position);
  }

  /** It hears what happens from now on, and has to read everything else. */
  #resync(subscription: Subscription): void {
    if (subscription.epoch !== this.#epoch)
      subscription.seal = this.#deps.seals.seal(subscription.query.context, this.cursor);
    subscription.epoch = this.#epoch;
    subscription.position = this.#position;
    subscription.seen = undefined;
    subscription.untold.clear();
    subscription.isResumed = false;
    subscription.send('resync', '', formatCursor(subscription));
  }

  #cursorAt(position: Position): string {
    return formatCursor({ epoch: this.#epoch, position });
  }

  async #begin(): Promise<boolean> {
    const epoch = await this.#deps.findEpoch();
    const last = epoch === undefined ? undefined : await this.#deps.stream.last(epoch);
    if (epoch === undefined || last === undefined) return false;
    if (!this.#running) this.#moveTo(epoch, last);
    return true;
  }

  #moveTo(epoch: FeedEpoch, position: Position): void {
    this.#epoch = epoch;
    this.#position = position;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.#readers > 0) {
      try {
        await this.#readOn();
      } catch (error) {
        this.#deps.log.debug({ err: error }, 'the change feed cannot be read just now');
        await sleep(retryMs);
      }
    }
    this.#running = undefined;
  }

  async #readOn(): Promise<void> {
    const { stream, findEpoch } = this.#deps;
    const wants = this.#deps.isWatched;
    const found = await stream.read(this.#epoch, this.#position, { most: batch, waitMs, wants });
    if (this.#isStopped) return;
    this.#tellPositions();
    if (found !== 'gone' && found.length > 0) {
      this.#delivery.begin();
      for (const news of found) await this.#hear(news);
      return;
    }
    // Nothing came: another epoch may have begun.
    const epoch = await findEpoch();
    if (epoch !== undefined && (epoch !== this.#epoch || found === 'gone')) await this.#startAgain(epoch);
    else if (found === 'gone') await sleep(retryMs);
  }

  async #startAgain(epoch: FeedEpoch): Promise<void> {
    const last = await this.#deps.stream.last(epoch);
    if (last === undefined) {
      await sleep(retryMs);
      return;
    }
    this.#moveTo(epoch, last);
    await this.#resyncAll();
  }

  /** Everybody reads again, or everybody in one project. */
  async #resyncAll(project?: string): Promise<void> {
    await this.#deps.onGap(project);
    for (const subscription of this.audience.all()) {
      const isConcerned = project === undefined || subscription.query.context.project.id === project;
      if (subscription.isLive && isConcerned) this.#resync(subscription);
    }
  }

  async #hear(news: News | Entry): Promise<void> {
    const hasGap = isBefore(this.#position, news.previous);
    // Set before anyone is told: a subscription that catches up meanwhile reads the entry, a live one is told.
    this.#position = news.position;
    if (hasGap) return this.#resyncAll();
    try {
      const entry = await this.#whole(news);
      if (entry === 'gone') await this.#resyncAll(news.project);
      else if (entry) await this.#tell(entry);
    } catch (error) {
      // Nobody knows who has heard of it.
      this.#deps.log.warn({ err: error }, 'a change could not be told: live subscriptions read again');
      await this.#resyncAll(news.project);
    }
  }

  /** The change that is told of; undefined if nobody here wants to know. Somebody may have come since it was read. */
  async #whole(news: News | Entry): Promise<Entry | 'gone' | undefined> {
    if ('fields' in news) return news;
    const { project, previous: after, position: upTo } = news;
    if (!this.#deps.isWatched(project)) return undefined;
    const found = await this.#deps.stream.history(this.#epoch, { project, after, upTo, most: 1 });
    return found === 'gone' ? 'gone' : found[0];
  }

  async #tell(entry: Entry): Promise<void> {
    const change = readChange(entry.fields);
    if (!change) return;
    if (change.kind !== 'document') return this.#deps.onOther(change);
    await this.#delivery.toAudience({ entry, change, cursor: this.#cursorAt(entry.position) });
  }

  /** Subscriptions that hear nothing for long learn where they are, so that they can go on from there later. */
  #tellPositions(): void {
    const now = performance.now();
    if (now - this.#toldAt < tellEveryMs) return;
    this.#toldAt = now;
    const cursor = this.#cursorAt(this.#position);
    for (const subscription of this.audience.all())
      if (subscription.isLive && subscription.toldAt < now - silentMs)
        subscription.send('position', '', cursor);
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
