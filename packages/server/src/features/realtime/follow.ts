import { isBefore } from '../../platform/changes/position.ts';
import type { Scans } from '../../platform/db/scans.ts';
import type { CellFeed } from './cell-feed.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { type LiveQuery, type LiveQueryServices, renderAll } from './live-query.ts';
import { readSnapshot } from './snapshot.ts';
import { type Outlet, Subscription } from './subscription.ts';

export interface Wish {
  readonly id: string;
  readonly query: LiveQuery;
  /** Where to go on, as it was once told. */
  readonly since?: string | undefined;
}

/**
 * Begins a subscription on a feed that was entered: from here on it is among the audience, so that rules and roles that
 * change concern it. It hears of nothing before it is brought up to date.
 */
export function beginSubscription(feed: CellFeed, outlet: Outlet, { id, query, since }: Wish): Subscription {
  const now = feed.cursor;
  const cursor = since === undefined ? undefined : parseCursor(since);
  const isKnown = cursor?.epoch === now.epoch && !isBefore(now.position, cursor.position);
  const subscription = new Subscription(id, query, isKnown ? cursor : now, outlet);
  feed.audience.add(subscription);
  subscription.send('subscribed', '', formatCursor(subscription));
  if (since !== undefined && !isKnown) subscription.send('resync', '', formatCursor(subscription));
  return subscription;
}

/** Sends what is there, if that is wanted, and what has happened since; nothing lies between that and what follows. */
export async function bringUpToDate(
  services: LiveQueryServices & { readonly scans: Scans },
  feed: CellFeed,
  subscription: Subscription,
  isSnapshotWanted: boolean,
): Promise<void> {
  if (isSnapshotWanted) await sendSnapshot(services, feed, subscription);
  await feed.catchUp(subscription);
}

async function sendSnapshot(
  services: LiveQueryServices & { readonly scans: Scans },
  feed: CellFeed,
  subscription: Subscription,
): Promise<void> {
  const { query } = subscription;
  const { pages, seen } = await readSnapshot(services.scans, query);
  subscription.seen = seen;
  subscription.position = feed.firstUnseen(seen);
  subscription.epoch = feed.cursor.epoch;
  const cursor = formatCursor(subscription);
  for (const [at, page] of pages.entries()) {
    const texts = await renderAll(services, query, page);
    if (subscription.isEnded) return;
    const more = at < pages.length - 1 ? ',"more":true' : '';
    subscription.send('snapshot', `"documents":[${texts.join(',')}]${more}`, cursor);
    await subscription.outlet.drained();
  }
}
