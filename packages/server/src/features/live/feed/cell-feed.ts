import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, News } from '../../../platform/change-feed/change-stream.ts';
import { type FeedEpoch, isBefore, origin, type Position } from '../../../platform/change-feed/position.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { formatCursor } from './feed-cursor.ts';
import { ProjectFeed, type ProjectFeedDeps } from './project-feed.ts';

export interface CellFeedDeps extends ProjectFeedDeps {
  /** The epoch that the cell is in now; undefined while there is none. */
  readonly findEpoch: () => Promise<FeedEpoch | undefined>;
}

const batch = 500;
const waitMs = 1000;
const retryMs = 300;
const tellEveryMs = 10_000;
const followEveryMs = 60_000;
/** A subscription that heard nothing for this long is told where it is. */
const silentMs = 60_000;

/** The changes of a cell as this node reads them, for as long as somebody is there to be told. */
export class CellFeed {
  readonly #deps: CellFeedDeps;
  /** Of the projects that somebody on this node belongs to. */
  readonly #projects = new Map<string, ProjectFeed>();
  readonly #yielder = Yielder.forShortWork('change feed');
  /** Empty until the first `enter`. */
  #epoch: FeedEpoch = '';
  #position: Position = origin;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #toldAt = 0;
  #followedAt = performance.now();

  constructor(deps: CellFeedDeps) {
    this.#deps = deps;
  }

  /** The feed of a project, from now on until as many have left it as have entered; undefined if there is nothing to read from. */
  async enter(project: string): Promise<ProjectFeed | undefined> {
    const feed = this.#feedOf(project);
    feed.enter();
    try {
      if (this.#running || (await this.#begin())) {
        this.#running ??= this.#run();
        if (!feed.isFollowedIn(this.#epoch)) await this.#follow(this.#epoch, [feed]);
        // Another epoch may have begun meanwhile.
        if (feed.isFollowedIn(this.#epoch)) return feed;
      }
    } catch (error) {
      feed.leave();
      throw error;
    }
    feed.leave();
    return undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    await this.#settle();
  }

  #feedOf(project: string): ProjectFeed {
    let feed = this.#projects.get(project);
    if (!feed) {
      const own = new ProjectFeed(project, this.#deps, {
        head: () => ({ epoch: this.#epoch, position: this.#position }),
        onEmpty: () => this.#projects.delete(project),
      });
      this.#projects.set(project, own);
      feed = own;
    }
    return feed;
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
    while (!this.#isStopped && this.#projects.size > 0) {
      try {
        await this.#readOn();
      } catch (error) {
        this.#deps.log.debug({ err: error }, 'the change feed cannot be read at the moment');
        await sleep(retryMs);
      }
    }
    this.#running = undefined;
  }

  async #readOn(): Promise<void> {
    const { stream, findEpoch } = this.#deps;
    const wanted = (project: string) => this.#projects.get(project)?.room ?? 0;
    const found = await stream.read(this.#epoch, this.#position, { most: batch, waitMs, wanted });
    if (this.#isStopped) return;
    this.#tellPositions();
    await this.#followOn();
    if (found !== 'gone' && found.length > 0) return this.#hearAll(found);
    // Nothing came: another epoch may have begun.
    const epoch = await findEpoch();
    if (epoch !== undefined && (epoch !== this.#epoch || found === 'gone')) await this.#startAgain(epoch);
    else if (found === 'gone') await sleep(retryMs);
  }

  async #hearAll(found: readonly (News | Entry)[]): Promise<void> {
    this.#yielder.begin();
    for (const news of found) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      const hasGap = isBefore(this.#position, news.previous);
      if (hasGap) await this.#skipTo(this.#epoch, news.position);
      else this.#hear(news);
    }
  }

  #hear(news: News | Entry): void {
    this.#position = news.position;
    this.#projects.get(news.project)?.hear(news);
  }

  async #startAgain(epoch: FeedEpoch): Promise<void> {
    const last = await this.#deps.stream.last(epoch);
    if (last === undefined) await sleep(retryMs);
    else await this.#skipTo(epoch, last);
  }

  /** Goes on elsewhere: everybody reads again. */
  async #skipTo(epoch: FeedEpoch, position: Position): Promise<void> {
    await this.#settle();
    // Whoever reads again hears of everything that comes after.
    const unfollowed = () => [...this.#projects.values()].filter((feed) => !feed.isFollowedIn(epoch));
    for (let feeds = unfollowed(); feeds.length > 0; feeds = unfollowed())
      if (!(await this.#follow(epoch, feeds))) return;
    this.#moveTo(epoch, position);
    await this.#deps.onGap();
    for (const feed of this.#projects.values()) feed.resyncAll();
  }

  /** False if the epoch is gone. */
  async #follow(epoch: FeedEpoch, feeds: readonly ProjectFeed[]): Promise<boolean> {
    const projects = feeds.map(({ project }) => project);
    const followed = await this.#deps.stream.follow(epoch, projects);
    for (const feed of feeds) {
      const following = followed?.get(feed.project);
      if (following) feed.followedIn(epoch, following);
    }
    return followed !== undefined;
  }

  /** Says now and then that the projects are still followed. */
  async #followOn(): Promise<void> {
    const now = performance.now();
    if (now - this.#followedAt < followEveryMs) return;
    this.#followedAt = now;
    const feeds = [...this.#projects.values()].filter((feed) => feed.isFollowedIn(this.#epoch));
    await this.#follow(this.#epoch, feeds);
  }

  async #settle(): Promise<void> {
    await Promise.all(Array.from(this.#projects.values(), (feed) => feed.settle()));
  }

  /** Subscriptions that hear nothing for long learn where they are, so that they can go on from there later. */
  #tellPositions(): void {
    const now = performance.now();
    if (now - this.#toldAt < tellEveryMs) return;
    this.#toldAt = now;
    for (const feed of this.#projects.values()) {
      const cursor = formatCursor(feed.cursor);
      for (const subscription of feed.audience.all())
        if (subscription.isLive && subscription.toldAt < now - silentMs)
          subscription.send('position', '', cursor);
    }
  }
}
