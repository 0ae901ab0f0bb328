import type { ClientMessage } from '@plinth/protocol';
import type { RequestContext } from '../projects/index.ts';
import type { CellFeed } from './cell-feed.ts';
import { formatCursor } from './cursor.ts';
import { invalidMessage, tooManySubscriptions } from './errors.ts';
import { beginSubscription, bringUpToDate } from './follow.ts';
import type { Gateway } from './gateway.ts';
import { openQuery } from './live-query.ts';
import type { Outlet, Subscription } from './subscription.ts';

export type SubscribeMessage = Extract<ClientMessage, { type: 'subscribe' }>;

/** On whose behalf something is followed. */
interface Follower {
  /** As it is now. */
  readonly context: RequestContext;
  complain(error: unknown, id?: string): void;
}

interface Following {
  readonly feed: CellFeed;
  readonly subscription: Subscription;
  readonly asked: { collection: string; filter: string };
}

const mostSubscriptions = 100;

/** The subscriptions of one connection, by the ids that it gave them. */
export class Followed {
  readonly #gateway: Gateway;
  readonly #outlet: Outlet;
  readonly #follower: Follower;
  readonly #all = new Map<string, Following>();
  #isEnded = false;

  constructor({ gateway, transport }: { gateway: Gateway; transport: Outlet }, follower: Follower) {
    this.#gateway = gateway;
    this.#outlet = transport;
    this.#follower = follower;
  }

  /** Is one of them to this collection? */
  has(collection: number): boolean {
    return [...this.#all.values()].some(
      ({ subscription }) => subscription.query.collection.number === collection,
    );
  }

  async begin(message: SubscribeMessage): Promise<void> {
    const { id, collection, filter = '', since, snapshot = false } = message;
    if (this.#all.has(id)) throw invalidMessage(`There is a subscription "${id}" already.`);
    if (this.#all.size >= mostSubscriptions)
      throw tooManySubscriptions(`A connection has at most ${mostSubscriptions} subscriptions.`);
    const asked = { collection, filter };
    const { context } = this.#follower;
    const query = await openQuery(this.#gateway.services, context, asked);
    const feed = await this.#gateway.enterFeed(context.project.cell);
    if (this.#isEnded || this.#all.has(id)) return feed.leave();
    const subscription = beginSubscription(feed, this.#outlet, { id, query, since });
    this.#all.set(id, { feed, asked, subscription });
    // Not waited for: it may take long, and other messages are to be heard meanwhile.
    this.#bringUp(feed, subscription, snapshot).catch((error: unknown) => {
      if (!subscription.isEnded) this.#fail(id, error);
    });
  }

  end(id: string): void {
    if (!this.#all.has(id)) throw invalidMessage(`There is no subscription "${id}".`);
    this.#letGo(id);
  }

  endAll(): void {
    this.#isEnded = true;
    for (const id of this.#all.keys()) this.#letGo(id);
  }

  /** The rules that they are under may be others now, or what they follow gone: all of them, or those to a collection. */
  async renew(collection?: number): Promise<void> {
    for (const [id, { subscription }] of this.#all)
      if (collection === undefined || subscription.query.collection.number === collection)
        await this.#renewOne(id);
  }

  async #bringUp(feed: CellFeed, subscription: Subscription, isSnapshotWanted: boolean): Promise<void> {
    // A rule that has changed since it was looked at was not heard of by a subscription that was not there yet.
    await this.#gateway.caughtUp(this.#follower.context.project.cell);
    await this.#renewOne(subscription.id);
    if (!subscription.isEnded)
      await bringUpToDate(this.#gateway.services, feed, subscription, isSnapshotWanted);
  }

  async #renewOne(id: string): Promise<void> {
    const following = this.#all.get(id);
    if (!following) return;
    const { subscription, asked, feed } = following;
    try {
      const query = await openQuery(this.#gateway.services, this.#follower.context, asked);
      if (subscription.isEnded) return;
      const isSame = query.key === subscription.query.key;
      feed.audience.remove(subscription);
      subscription.query = query;
      feed.audience.add(subscription);
      if (!isSame) subscription.send('resync', '', formatCursor(feed.cursor));
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: string, error: unknown): void {
    this.#letGo(id);
    this.#follower.complain(error, id);
  }

  #letGo(id: string): void {
    const following = this.#all.get(id);
    if (!following) return;
    this.#all.delete(id);
    const { subscription, feed } = following;
    subscription.isEnded = true;
    feed.audience.remove(subscription);
    feed.leave();
  }
}
