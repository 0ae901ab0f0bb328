import type { Visibility } from '../../../platform/change-feed/visibility.ts';
import type { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import { tooManyQueries } from '../../data/index.ts';
import {
  formatCursor,
  type LiveQuery,
  type LiveQueryDeps,
  type Outlet,
  type ProjectFeed,
  renderAll,
  type SealedCursor,
  Subscription,
} from '../feed/index.ts';
import { readSnapshot } from './snapshot.ts';

/** A snapshot waits so long for its turn. */
const longestWaitMs = 30_000;
/** A page, which has a megabyte at most, must have been taken within this. */
const longestPageMs = 10_000;

export interface SnapshotDeps extends LiveQueryDeps {
  readonly scans: Scans;
  /** Held while a snapshot is in memory: until it was read and sent. Projects take turns. */
  readonly snapshots: FairSemaphore;
}

interface Wish {
  readonly id: string;
  readonly query: LiveQuery;
  /** The cursor to go on from, as it was once told to the subscriber. */
  readonly since?: string | undefined;
  /** The same, if the feed knows it. */
  readonly from: SealedCursor | undefined;
  /** What was visible when it was asked for, if it goes on from a cursor. */
  readonly past: Visibility | undefined;
}

/**
 * Begins a subscription on a feed that was entered. From here on it is part of the audience, so that changes of rules and
 * roles reach it; it is sent no documents until it is brought up to date.
 */
export function beginSubscription(
  { seals, onResync }: Pick<LiveQueryDeps, 'seals' | 'onResync'>,
  feed: ProjectFeed,
  outlet: Outlet,
  { id, query, since, from, past }: Wish,
): Subscription {
  const now = feed.cursor;
  const isKnown = from?.epoch === now.epoch;
  const start = isKnown ? from : { ...now, seal: seals.seal(query.context, now) };
  const subscription = new Subscription(id, query, start, outlet);
  subscription.isResumed = isKnown;
  subscription.past = past;
  feed.audience.add(subscription);
  subscription.send('subscribed', `"number":${query.collection.number}`, formatCursor(subscription));
  if (since !== undefined && !isKnown) {
    subscription.send('resync', '', formatCursor(subscription));
    onResync?.('cursor');
  }
  return subscription;
}

/** Sends the snapshot, if it is wanted, then what has happened since, without a gap before what comes live. */
export async function bringUpToDate(
  deps: SnapshotDeps,
  feed: ProjectFeed,
  subscription: Subscription,
  isSnapshotWanted: boolean,
): Promise<void> {
  if (isSnapshotWanted) await sendSnapshot(deps, feed, subscription);
  await feed.catchUp(subscription);
}

async function sendSnapshot(
  deps: SnapshotDeps,
  feed: ProjectFeed,
  subscription: Subscription,
): Promise<void> {
  const { id } = subscription.query.context.project;
  const sent = await deps.snapshots.run(id, longestWaitMs, async () => {
    if (!subscription.isEnded) await readAndSend(deps, feed, subscription);
    return true;
  });
  if (!sent) throw tooManyQueries();
}

async function readAndSend(deps: SnapshotDeps, feed: ProjectFeed, subscription: Subscription): Promise<void> {
  const { query } = subscription;
  // Taken first: what is in the feed is visible to whoever looks later. What comes meanwhile may be in the snapshot or not.
  const { epoch, position } = feed.cursor;
  const { pages, seen } = await readSnapshot(deps.scans, query);
  subscription.seen = seen;
  subscription.position = position;
  subscription.epoch = epoch;
  subscription.seal = deps.seals.seal(query.context, subscription);
  const cursor = formatCursor(subscription);
  for (const [at, page] of pages.entries()) {
    const texts = await renderAll(deps, query, page);
    if (subscription.isEnded) return;
    const more = at < pages.length - 1 ? ',"more":true' : '';
    subscription.send('snapshot', `"documents":[${texts.join(',')}]${more}`, cursor);
    // It has a place that others wait for.
    if (!(await subscription.outlet.drained(longestPageMs))) return subscription.outlet.giveUp();
  }
}
