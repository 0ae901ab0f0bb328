import { withNews } from '../../../calls/index.ts';
import type { Entry } from '../../../platform/change-feed/change-stream.ts';
import { type Change, listVersions, readChange } from '../../data/index.ts';
import { type EventKind, LiveChange } from './live-change.ts';
import type { LiveQuery, LiveQueryDeps } from './live-query.ts';
import type { Subscription } from './subscription.ts';

/** A change that a subscription missed, and what it means to it. */
export interface Missed {
  readonly entry: Entry;
  readonly change: Change | undefined;
  /** Undefined: it is not about a document of the query. */
  readonly event: { readonly live: LiveChange; readonly kind: EventKind } | undefined;
}

export interface PastDeps extends LiveQueryDeps {
  readonly caughtUp: () => Promise<void>;
}

export function missedBy({ query }: Subscription, entries: readonly Entry[]): Missed[] {
  return entries.map((entry) => {
    const change = readChange(entry.fields);
    return { entry, change, event: eventOf(query, change) };
  });
}

function eventOf(query: LiveQuery, change: Change | undefined): Missed['event'] {
  const { context, collection } = query;
  if (change?.kind !== 'document' || change.project !== context.project.id) return undefined;
  if (change.collection !== collection.number) return undefined;
  const live = new LiveChange(change);
  const kind = live.kindFor(query);
  return kind && { live, kind };
}

/**
 * What happened before somebody came back is told by what is there now: a document that was deleted or made private since
 * is not shown as it was, nor is a text that was taken back. So only the latest version of a document is told, and it is
 * what anybody reads who looks. All others are followed by a later change, which is in the feed too. One look for all.
 */
export async function stillSo(
  deps: PastDeps,
  { query, past }: Subscription,
  missed: readonly Missed[],
): Promise<(one: Missed) => boolean> {
  const isJudged = ({ entry, event }: Missed) =>
    event !== undefined && event.kind !== 'deleted' && past?.sees(entry.xid) === true;
  const judged = missed.flatMap((one) => (one.event && isJudged(one) ? [one.event.live] : []));
  const current = await currentOf(deps, query, judged);
  return (one) => !one.event || !isJudged(one) || current.has(one.event.live);
}

/** Whether a single change is still so: asked once for all. */
export class Judgement {
  readonly #deps: PastDeps;
  readonly #live: LiveChange;
  #isCurrent: boolean | undefined;

  constructor(deps: PastDeps, live: LiveChange) {
    this.#deps = deps;
    this.#live = live;
  }

  async isCurrent(query: LiveQuery): Promise<boolean> {
    this.#isCurrent ??= (await currentOf(this.#deps, query, [this.#live])).size > 0;
    return this.#isCurrent;
  }
}

/** Those changes whose documents are now as they were after them. */
async function currentOf(
  { collections, caughtUp }: PastDeps,
  { context, collection: { number } }: LiveQuery,
  changes: readonly LiveChange[],
): Promise<Set<LiveChange>> {
  if (changes.length === 0) return new Set();
  const ids = new Set(changes.map(({ change }) => change.id));
  const found = await withNews({ caughtUp }, context, async () => {
    const collection = await collections.findByNumber(context, number);
    return collection ? listVersions(context.db, collection, [...ids]) : [];
  });
  const versions = new Set(found.map(versionName));
  return new Set(changes.filter((live) => versions.has(nameOf(live))));
}

function nameOf({ change: { id, after } }: LiveChange): string {
  return after ? versionName({ id, ...after }) : '';
}

/** With the time: a document that was deleted and created again under its id begins to count anew. */
function versionName({ id, version, updatedAt }: { id: string; version: number; updatedAt: number }): string {
  return `${id} ${version} ${updatedAt}`;
}
