import { withNews } from '../../../calls/index.ts';
import type { Entry } from '../../../platform/change-feed/change-stream.ts';
import { type Change, type Collection, findVersion, listVersions, readChange } from '../../data/index.ts';
import { type EventKind, LiveChange, versionName } from './live-change.ts';
import { type LiveQuery, type LiveQueryDeps, renderAll } from './live-query.ts';
import type { Subscription } from './subscription.ts';

/** A change that a subscription missed, and what it means to it. */
export interface Missed {
  readonly entry: Entry;
  readonly change: Change | undefined;
  /** Undefined: it is not about a document of the query. */
  readonly event: { readonly live: LiveChange; readonly kind: EventKind | 'unknown' } | undefined;
}

/** What it takes to look at documents as they are now. */
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
    event !== undefined && isContent(event.kind) && past?.sees(entry.xid) === true;
  const judged = missed.flatMap((one) => (one.event && isJudged(one) ? [one.event.live] : []));
  const current = await currentOf(deps, query, judged);
  return (one) => !one.event || !isJudged(one) || current.has(one.event.live);
}

function isContent(kind: EventKind | 'unknown'): boolean {
  return kind === 'created' || kind === 'updated';
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
  deps: PastDeps,
  query: LiveQuery,
  changes: readonly LiveChange[],
): Promise<Set<LiveChange>> {
  if (changes.length === 0) return new Set();
  const ids = new Set(changes.map(({ change }) => change.id));
  const found = await look(deps, query, (collection) => listVersions(query.context.db, collection, [...ids]));
  const versions = new Set(found?.map(versionName));
  return new Set(changes.filter((live) => versions.has(nameOf(live))));
}

/** The document after a change as subscribers to the query see it; undefined if it has changed since. */
export async function documentText(
  deps: PastDeps,
  query: LiveQuery,
  live: LiveChange,
): Promise<string | undefined> {
  const document = await live.document((wanted) =>
    look(deps, query, (collection) => findVersion(query.context.db, collection, wanted)),
  );
  if (!document) return undefined;
  const [text] = await renderAll(deps, query, [document]);
  return text;
}

/** Looks into a collection wherever it is now; undefined if it is gone. */
async function look<Found>(
  { collections, caughtUp }: PastDeps,
  { context, collection: { number } }: LiveQuery,
  into: (collection: Collection) => Promise<Found>,
): Promise<Found | undefined> {
  return withNews({ caughtUp }, context, async () => {
    const collection = await collections.findByNumber(context, number);
    return collection && into(collection);
  });
}

function nameOf({ change: { id, after } }: LiveChange): string {
  return after ? versionName({ id, ...after }) : '';
}
