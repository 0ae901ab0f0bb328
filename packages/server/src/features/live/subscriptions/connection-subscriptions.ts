import type { ClientMessage, ErrorSubject } from '@plinth/protocol';
import type { RequestContext } from '../../../calls/index.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { invalidMessage, tooManySubscriptions } from '../errors.ts';
import {
  type CellFeeds,
  currentVisibility,
  dependsOnUser,
  formatCursor,
  type LiveQuery,
  type Outlet,
  openQuery,
  type ProjectFeed,
  type SealedCursor,
  type Subscription,
} from '../feed/index.ts';
import { beginSubscription, bringUpToDate, type SnapshotDeps } from './subscribe.ts';

export type SubscribeMessage = Extract<ClientMessage, { type: 'subscribe' }>;

export interface SubscriptionDeps extends SnapshotDeps {
  readonly feeds: CellFeeds;
}

/** The connection that has the subscriptions. */
interface Subscriber {
  /** As it is now. */
  readonly context: RequestContext;
  complain(error: unknown, about: ErrorSubject): void;
}

interface Subscribed {
  readonly feed: ProjectFeed;
  readonly subscription: Subscription;
  readonly asked: { collection: string; filter: string };
}

/** Subscriptions per connection. @limit too_many_subscriptions */
export const mostSubscriptions = 100;

/** The subscriptions of one connection, by the ids that it gave them. */
export class ConnectionSubscriptions {
  readonly #deps: SubscriptionDeps;
  readonly #outlet: Outlet;
  readonly #subscriber: Subscriber;
  readonly #all = new Map<string, Subscribed>();
  #isEnded = false;

  constructor(deps: SubscriptionDeps, outlet: Outlet, subscriber: Subscriber) {
    this.#deps = deps;
    this.#outlet = outlet;
    this.#subscriber = subscriber;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  get count(): number {
    return this.#all.size;
  }

  /** What they follow. */
  get asked(): readonly { readonly collection: string; readonly filter: string }[] {
    return Array.from(this.#all.values(), ({ subscription, asked: { filter } }) => ({
      collection: subscription.query.collection.name,
      filter,
    }));
  }

  /** Is one of them to this collection? */
  has(collection: number): boolean {
    return [...this.#all.values()].some(
      ({ subscription }) => subscription.query.collection.number === collection,
    );
  }

  /** Does it go on from a cursor that this caller was given? */
  canGoOn({ since }: SubscribeMessage): boolean {
    return since !== undefined && this.#deps.seals.open(this.#subscriber.context, since) !== undefined;
  }

  async begin(message: SubscribeMessage): Promise<void> {
    const { id, collection, filter = '', since, snapshot = false } = message;
    if (this.#all.has(id)) throw invalidMessage(`There is a subscription "${id}" already.`);
    if (this.#all.size >= mostSubscriptions)
      throw tooManySubscriptions(`A connection has at most ${mostSubscriptions} subscriptions.`);
    const asked = { collection, filter };
    const { context } = this.#subscriber;
    const query = await openQuery(this.#deps, context, asked);
    const past = since === undefined ? undefined : await currentVisibility(context.db);
    const feed = await this.#deps.feeds.enter(context.project);
    const from = await this.#knownCursor(feed, context, since);
    if (this.#isEnded || this.#all.has(id)) return feed.leave();
    const subscription = beginSubscription(this.#deps, feed, this.#outlet, { id, query, since, from, past });
    this.#all.set(id, { feed, asked, subscription });
    // Not awaited: it may take long, and other messages are to be heard meanwhile.
    this.#bringUp(feed, subscription, snapshot).catch((error: unknown) => {
      if (!subscription.isEnded) this.#fail(id, error);
    });
  }

  end(id: string): void {
    if (!this.#all.has(id)) throw invalidMessage(`There is no subscription "${id}".`);
    this.#remove(id);
  }

  endAll(): void {
    this.#isEnded = true;
    for (const id of this.#all.keys()) this.#remove(id);
  }

  /** Opens their queries again, all of them or those to one collection: rules may differ now, or the collection be gone. */
  async renew(collection?: number, changed?: 'collection' | 'links'): Promise<void> {
    for (const [id, { subscription }] of this.#all) {
      if (collection !== undefined && subscription.query.collection.number !== collection) continue;
      // Whoever came back was judged by the links of then, or found that the rule cannot be followed live.
      await this.#renewOne(id, changed !== 'links' && mayHaveMissed(subscription, collection));
    }
  }

  /** The cursor to go on from; undefined if it is not the caller’s, or of an earlier time. */
  async #knownCursor(
    feed: ProjectFeed,
    context: RequestContext,
    since: string | undefined,
  ): Promise<SealedCursor | undefined> {
    const cursor = since === undefined ? undefined : this.#deps.seals.open(context, since);
    try {
      return cursor && (await feed.knows(cursor)) ? cursor : undefined;
    } catch (error) {
      feed.leave();
      throw error;
    }
  }

  async #bringUp(feed: ProjectFeed, subscription: Subscription, isSnapshotWanted: boolean): Promise<void> {
    // A rule may have changed after the query was opened and before the subscription was there to hear of it.
    await this.#deps.feeds.caughtUp(this.#subscriber.context.project.cell);
    await this.#renewOne(subscription.id);
    if (!subscription.isEnded) await bringUpToDate(this.#deps, feed, subscription, isSnapshotWanted);
  }

  async #renewOne(id: string, hasMissed = false): Promise<void> {
    const subscribed = this.#all.get(id);
    if (!subscribed) return;
    const { subscription, asked, feed } = subscribed;
    try {
      const yielder = new Yielder(this.#subscriber.context.project.id);
      if (yielder.isRestDue) await yielder.rest();
      const query = await openQuery(this.#deps, this.#subscriber.context, asked);
      if (subscription.isEnded) return;
      const isSame = query.key === subscription.query.key;
      feed.audience.remove(subscription);
      if (!isSameCaller(subscription.query, query))
        subscription.seal = this.#deps.seals.seal(query.context, feed.cursor);
      subscription.query = query;
      feed.audience.add(subscription);
      if (isSame && !hasMissed) return;
      subscription.isResumed = false;
      subscription.send('resync', '', formatCursor(feed.cursor));
      this.#deps.onResync?.('rules');
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: string, error: unknown): void {
    this.#remove(id);
    this.#subscriber.complain(error, { id });
  }

  #remove(id: string): void {
    const subscribed = this.#all.get(id);
    if (!subscribed) return;
    this.#all.delete(id);
    const { subscription, feed } = subscribed;
    subscription.isEnded = true;
    feed.audience.remove(subscription);
    feed.leave();
  }
}

/** Somebody who was nobody may have signed in. */
function isSameCaller({ context: before }: LiveQuery, { context: after }: LiveQuery): boolean {
  return before.principal.user?.id === after.principal.user?.id;
}

/**
 * A subscription that went on from a cursor may have been opened with a role or rule that the feed tells of only now:
 * what it was sent of the time before was then judged by what came later.
 */
function mayHaveMissed({ isResumed, isLive, query }: Subscription, collection: number | undefined): boolean {
  const isConcerned = collection !== undefined || dependsOnUser(query);
  return isResumed && isLive && isConcerned;
}
