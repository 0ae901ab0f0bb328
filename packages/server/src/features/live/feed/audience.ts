import { type Group, Groups } from './groups.ts';
import type { LiveChange } from './live-change.ts';
import type { Subscription } from './subscription.ts';

/** The subscriptions to a project, by collection. */
export class Audience {
  readonly #collections = new Map<number, Groups>();

  add(subscription: Subscription): void {
    const { number } = subscription.query.collection;
    const groups = this.#collections.get(number) ?? new Groups();
    this.#collections.set(number, groups);
    groups.add(subscription);
  }

  remove(subscription: Subscription): void {
    const { number } = subscription.query.collection;
    const groups = this.#collections.get(number);
    groups?.remove(subscription);
    if (groups?.isEmpty) this.#collections.delete(number);
  }

  /** Those whom a change may concern. */
  concernedBy(live: LiveChange): Iterable<Group> {
    return this.#collections.get(live.change.collection)?.concernedBy(live.records, live.omitted) ?? [];
  }

  *all(): Iterable<Subscription> {
    for (const groups of this.#collections.values()) yield* groups.members();
  }
}
