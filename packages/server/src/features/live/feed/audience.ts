import { type Group, Groups } from './groups.ts';
import type { LiveChange } from './live-change.ts';
import type { LiveQuery } from './live-query.ts';
import type { Subscription } from './subscription.ts';

/** The subscriptions to a cell, by collection. */
export class Audience {
  readonly #collections = new Map<string, Groups>();

  add(subscription: Subscription): void {
    const name = nameOf(subscription.query);
    const groups = this.#collections.get(name) ?? new Groups();
    this.#collections.set(name, groups);
    groups.add(subscription);
  }

  remove(subscription: Subscription): void {
    const name = nameOf(subscription.query);
    const groups = this.#collections.get(name);
    groups?.remove(subscription);
    if (groups?.isEmpty) this.#collections.delete(name);
  }

  /** Those whom a change may concern. */
  concernedBy(live: LiveChange): Iterable<Group> {
    const { project, collection } = live.change;
    return this.#collections.get(`${project}/${collection}`)?.concernedBy(live.records, live.omitted) ?? [];
  }

  *all(): Iterable<Subscription> {
    for (const groups of this.#collections.values()) yield* groups.members();
  }
}

function nameOf({ context, collection }: LiveQuery): string {
  return `${context.project.id}/${collection.number}`;
}
