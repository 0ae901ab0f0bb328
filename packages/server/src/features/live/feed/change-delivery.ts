import type { Entry } from '../../../platform/change-feed/change-stream.ts';
import { isBefore } from '../../../platform/change-feed/position.ts';
import type { Yielder } from '../../../platform/concurrency/yielder.ts';
import type { DocumentChange } from '../../data/index.ts';
import type { Audience } from './audience.ts';
import { type EventKind, eventText, LiveChange } from './live-change.ts';
import type { LiveQuery } from './live-query.ts';
import { documentText, Judgement, type Missed, type PastDeps } from './past.ts';
import type { Subscription } from './subscription.ts';

/** A changed document on its way to subscriptions. */
interface Delivered {
  readonly entry: Entry;
  readonly change: DocumentChange;
  /** The position of the entry, as subscribers are told it. */
  readonly cursor: string;
}

/** What a change is to all who see the same. */
interface LiveEvent {
  readonly id: string;
  readonly kind: EventKind;
  /** Undefined: it is no longer like that. There is a later change, with which it is told. */
  readonly text: string | undefined;
  /** The same for those to whom the document is new. */
  readonly textOfNew: () => string;
}

/** Sends changed documents to the subscriptions they concern. */
export class ChangeDelivery {
  readonly #audience: Audience;
  readonly #deps: PastDeps;
  readonly #resync: (subscription: Subscription) => void;
  readonly #yielder: Yielder;

  constructor(
    audience: Audience,
    deps: PastDeps,
    { resync, yielder }: { resync: (subscription: Subscription) => void; yielder: Yielder },
  ) {
    this.#audience = audience;
    this.#deps = deps;
    this.#resync = resync;
    this.#yielder = yielder;
  }

  /** To all that are live. The text is made once for each group of subscriptions that see the same. */
  async toAudience({ entry, change, cursor }: Delivered): Promise<void> {
    const live = new LiveChange(change);
    const judgement = new Judgement(this.#deps, live);
    for (const { query, members } of this.#audience.concernedBy(live)) {
      if (this.#yielder.isRestDue) await this.#yielder.rest();
      const kind = live.kindFor(query);
      if (kind === undefined) continue;
      const event = kind === 'unknown' ? undefined : await this.#eventOf(query, live, kind);
      for (const member of members) {
        if (this.#yielder.isRestDue) await this.#yielder.rest();
        // One that is catching up reads the change by itself, and may already have done so.
        if (!member.isLive || !isBefore(member.position, entry.position)) continue;
        member.position = entry.position;
        const isPast = member.past?.sees(entry.xid) && kind !== 'deleted' && kind !== 'unknown';
        if (!event) this.#resync(member);
        else if (isPast && !(await judgement.isCurrent(query))) leaveUntold(member, event);
        else send(member, event, entry, cursor);
      }
    }
  }

  /** To one that is catching up, as far as it is still so. */
  async toOne(
    subscription: Subscription,
    { entry, event: missed }: Missed,
    { cursor, isStillSo }: { cursor: string; isStillSo: boolean },
  ): Promise<void> {
    if (!missed || missed.kind === 'unknown') return;
    const { live, kind } = missed;
    if (isStillSo) send(subscription, await this.#eventOf(subscription.query, live, kind), entry, cursor);
    else leaveUntold(subscription, { id: live.change.id, kind });
  }

  async #eventOf(query: LiveQuery, live: LiveChange, kind: EventKind): Promise<LiveEvent> {
    const { id } = live.change;
    const document = kind === 'deleted' ? `{"id":"${id}"}` : await documentText(this.#deps, query, live);
    const text = document === undefined ? undefined : eventText(query, kind, document);
    return { id, kind, text, textOfNew: () => eventText(query, 'created', document ?? '') };
  }
}

function send(subscription: Subscription, event: LiveEvent, { xid }: Entry, cursor: string): void {
  const { id, kind, text } = event;
  if (subscription.isEnded || subscription.seen?.sees(xid)) return;
  if (text === undefined) return leaveUntold(subscription, event);
  const isNew = subscription.untold.delete(id) && kind === 'updated';
  subscription.send('event', isNew ? event.textOfNew() : text, cursor);
}

/** A document that is new to the subscription is so when it is told of the next time. */
function leaveUntold({ untold }: Subscription, { id, kind }: Pick<LiveEvent, 'id' | 'kind'>): void {
  if (kind === 'created') untold.add(id);
}
