import type { Entry } from '../../../platform/change-feed/change-stream.ts';
import { isBefore } from '../../../platform/change-feed/position.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import type { DocumentChange } from '../../data/index.ts';
import type { Audience } from './audience.ts';
import { eventText, LiveChange } from './live-change.ts';
import type { LiveQueryDeps } from './live-query.ts';
import type { Subscription } from './subscription.ts';

/** A changed document on its way to subscriptions. */
interface Delivered {
  readonly entry: Entry;
  readonly change: DocumentChange;
  /** The position of the entry, as subscribers are told it. */
  readonly cursor: string;
}

/** Sends changed documents to the subscriptions they concern. */
export class ChangeDelivery {
  readonly #audience: Audience;
  readonly #deps: LiveQueryDeps;
  readonly #yielder = new Yielder();

  constructor(audience: Audience, deps: LiveQueryDeps) {
    this.#audience = audience;
    this.#deps = deps;
  }

  /** The feed has just waited for the stream. */
  begin(): void {
    this.#yielder.begin();
  }

  /** To all that are live. The text is made once for each group of subscriptions that see the same. */
  async toAudience({ entry, change, cursor }: Delivered): Promise<void> {
    const live = new LiveChange(change);
    for (const { query, members } of this.#audience.concernedBy(live)) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      const kind = live.kindFor(query);
      if (kind === undefined) continue;
      const event = await eventText(this.#deps, query, live, kind);
      for (const member of members) {
        if (this.#yielder.isRestDue) await this.#yielder.rest();
        // One that is catching up reads the change by itself, and may already have done so.
        if (!member.isLive || !isBefore(member.position, entry.position)) continue;
        member.position = entry.position;
        sendTo(member, event, entry, cursor);
      }
    }
  }

  /** To one that is catching up. */
  async toOne(subscription: Subscription, { entry, change, cursor }: Delivered): Promise<void> {
    if (!concerns(subscription, change)) return;
    const live = new LiveChange(change);
    const { query } = subscription;
    const kind = live.kindFor(query);
    if (kind === undefined) return;
    sendTo(subscription, await eventText(this.#deps, query, live, kind), entry, cursor);
  }
}

function sendTo(subscription: Subscription, event: string, { xid }: Entry, cursor: string): void {
  if (!subscription.isEnded && !subscription.seen?.sees(xid)) subscription.send('event', event, cursor);
}

function concerns({ query }: Subscription, { project, collection }: DocumentChange): boolean {
  return query.context.project.id === project && query.collection.number === collection;
}
