import type { LiveQuery } from './live-query.ts';
import type { Subscription } from './subscription.ts';

/** Subscriptions that see the same: what a change is to them is decided once. */
export interface Group {
  readonly query: LiveQuery;
  readonly members: Set<Subscription>;
}

/** Who follows what, by collection. */
export class Audience {
  readonly #collections = new Map<string, Map<string, Group>>();

  add(subscription: Subscription): void {
    const { query } = subscription;
    const name = nameOf(query);
    const groups = this.#collections.get(name) ?? new Map<string, Group>();
    this.#collections.set(name, groups);
    const group = groups.get(query.key) ?? { query, members: new Set() };
    groups.set(query.key, group);
    group.members.add(subscription);
  }

  remove(subscription: Subscription): void {
    const { query } = subscription;
    const groups = this.#collections.get(nameOf(query));
    const group = groups?.get(query.key);
    if (!group?.members.delete(subscription)) return;
    if (group.members.size === 0) groups!.delete(query.key);
    if (groups!.size === 0) this.#collections.delete(nameOf(query));
  }

  groupsOf(project: string, collection: number): Iterable<Group> {
    return this.#collections.get(`${project}/${collection}`)?.values() ?? [];
  }

  *all(): Iterable<Subscription> {
    for (const groups of this.#collections.values())
      for (const { members } of groups.values()) yield* members;
  }
}

function nameOf({ context, collection }: LiveQuery): string {
  return `${context.project.id}/${collection.number}`;
}
