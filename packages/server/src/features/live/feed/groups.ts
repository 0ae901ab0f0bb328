import type { Path } from '@plinth/protocol';
import {
  type CheckedFilter,
  conjunctsOf,
  isAbout,
  type MatchedRecord,
  type Scalar,
  type Target,
  valueAt,
} from '../../data/index.ts';
import type { LiveQuery } from './live-query.ts';
import type { Subscription } from './subscription.ts';

/** Subscriptions that see the same: what a change means to them is decided once. */
export interface Group {
  readonly query: LiveQuery;
  readonly members: Set<Subscription>;
}

/** A field, and the groups that want each of its values. */
interface WantedValues {
  readonly target: Target;
  readonly wanted: Map<unknown, Set<Group>>;
}

/**
 * The groups of subscriptions to one collection. Most filters and rules ask for a value of some field, such as an owner:
 * that value leads to the groups that a change may concern, so that the others cost nothing.
 */
export class Groups {
  readonly #byKey = new Map<string, Group>();
  readonly #fields = new Map<string, WantedValues>();
  /** Every change may concern these. */
  readonly #others = new Set<Group>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  add(subscription: Subscription): void {
    const { query } = subscription;
    let group = this.#byKey.get(query.key);
    if (!group) {
      group = { query, members: new Set() };
      this.#byKey.set(query.key, group);
      this.#enter(group);
    }
    group.members.add(subscription);
  }

  remove(subscription: Subscription): void {
    const group = this.#byKey.get(subscription.query.key);
    if (!group?.members.delete(subscription) || group.members.size > 0) return;
    this.#byKey.delete(subscription.query.key);
    this.#leave(group);
  }

  /** The groups that a change may concern, by the document before and after it, of which some values may be missing. */
  concernedBy(records: readonly MatchedRecord[], omitted: readonly Path[] = []): Set<Group> {
    const found = new Set(this.#others);
    for (const { target, wanted } of this.#fields.values()) {
      if (isAbout(target, omitted)) for (const groups of wanted.values()) addAll(found, groups);
      for (const record of records) {
        // Each element of an array counts as a value.
        for (const value of [valueAt(target, record)].flat()) addAll(found, wanted.get(value) ?? []);
      }
    }
    return found;
  }

  *members(): Iterable<Subscription> {
    for (const { members } of this.#byKey.values()) yield* members;
  }

  #enter(group: Group): void {
    const equality = equalityIn(group.query.filter);
    if (!equality) {
      this.#others.add(group);
      return;
    }
    const { target, candidates } = equality;
    const field = this.#fields.get(nameOf(target)) ?? { target, wanted: new Map() };
    this.#fields.set(nameOf(target), field);
    for (const candidate of candidates) {
      const groups = field.wanted.get(candidate) ?? new Set();
      field.wanted.set(candidate, groups.add(group));
    }
  }

  #leave(group: Group): void {
    this.#others.delete(group);
    const equality = equalityIn(group.query.filter);
    if (!equality) return;
    const name = nameOf(equality.target);
    const wanted = this.#fields.get(name)?.wanted;
    for (const candidate of equality.candidates) {
      const groups = wanted?.get(candidate);
      groups?.delete(group);
      if (groups?.size === 0) wanted?.delete(candidate);
    }
    if (wanted?.size === 0) this.#fields.delete(name);
  }
}

function addAll(to: Set<Group>, groups: Iterable<Group>): void {
  for (const group of groups) to.add(group);
}

/** A field that has one of a few values in every document that passes. */
function equalityIn(filter: CheckedFilter): { target: Target; candidates: readonly Scalar[] } | undefined {
  const found = conjunctsOf(filter).flatMap((part) =>
    part.kind === 'test' && part.test.kind === 'equals' && !part.within
      ? [{ target: part.target, candidates: part.test.candidates }]
      : [],
  );
  return found.toSorted((a, b) => a.candidates.length - b.candidates.length)[0];
}

function nameOf(target: Target): string {
  return target.kind === 'column' ? target.column : JSON.stringify([target.column, ...target.path]);
}
