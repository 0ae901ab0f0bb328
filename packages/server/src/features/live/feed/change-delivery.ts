import type { Entry } from '../../../platform/change-feed/change-stream.ts';
import { isBefore } from '../../../platform/change-feed/position.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import type { DocumentChange } from '../../data/index.ts';
import type { Audience } from './audience.ts';
import { documentText, type EventKind, eventText, LiveChange } from './live-change.ts';
import { Judgement, type Missed, type PastDeps } from './past.ts';
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
  readonly #deps: PastDeps;
  readonly #yielder = new Yielder();

  constructor(audience: Audience, deps: PastDeps) {
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
    const judgement = new Judgement(this.#deps, live);
    for (const { query, members } of this.#audience.concernedBy(live)) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      const kind = live.kindFor(query);
      if (kind === undefined) continue;
      const document = await documentText(this.#deps, query, live, kind);
      const event = eventText(query, kind, document);
      for (const member of members) {
        if (this.#yielder.isRestDue) await this.#yielder.rest();
        // One that is catching up reads the change by itself, and may already have done so.
        if (!member.isLive || !isBefore(member.position, entry.position)) continue;
        member.position = entry.position;
        if (kind !== 'deleted' && member.past?.sees(entry.xid) && !(await judgement.isCurrent(query))) {
          leaveUntold(member, kind, change.id);
          continue;
        }
        const told = toldKind(member, kind, change.id);
        sendTo(member, told === kind ? event : eventText(query, told, document), entry, cursor);
      }
    }
  }

  /** To one that is catching up. */
  async toOne(subscription: Subscription, { entry, event }: Missed, cursor: string): Promise<void> {
    if (!event) return;
    const { query } = subscription;
    const { live, kind } = event;
    const document = await documentText(this.#deps, query, live, kind);
    const told = toldKind(subscription, kind, live.change.id);
    sendTo(subscription, eventText(query, told, document), entry, cursor);
  }
}

/** It is told with the next change: there is one, since the document is no longer like this. */
export function leaveUntold({ untold }: Subscription, kind: EventKind, id: string): void {
  if (kind === 'created') untold.add(id);
}

/** To a subscription that was not told of a document before, it is new. */
function toldKind({ untold }: Subscription, kind: EventKind, id: string): EventKind {
  return untold.size > 0 && untold.delete(id) && kind === 'updated' ? 'created' : kind;
}

function sendTo(subscription: Subscription, event: string, { xid }: Entry, cursor: string): void {
  if (!subscription.isEnded && !subscription.seen?.sees(xid)) subscription.send('event', event, cursor);
}
