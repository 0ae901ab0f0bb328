import type { Static } from 'typebox';
import { invalidQuery, type PageInfo } from '../../calls/index.ts';
import { readCursorPage } from '../../calls/management/index.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { Deliveries } from './deliveries.ts';
import { deliveryNotFound } from './errors.ts';
import {
  countKept,
  type DeliveryStatus,
  findKept,
  type KeptDelivery,
  listAttempts,
  listKept,
  type ReplayWish,
} from './kept-store.ts';
import type { replayBody } from './schemas.ts';

function recordOf({ id, type, status, attempts, at, dueAt, error }: KeptDelivery) {
  return { id, type, status, attempts, at, dueAt, error };
}

/** A page of what a lane has, the newest first. The first of the statuses is meant where none is named. */
export async function readDeliveries(
  db: ProjectDb,
  lane: number,
  {
    queryString,
    statuses,
  }: { queryString: string; statuses: readonly [DeliveryStatus, ...DeliveryStatus[]] },
) {
  const { limit, before } = readCursorPage(queryString, ['status']);
  const asked = new URLSearchParams(queryString).get('status') ?? statuses[0];
  const status = statuses.find((known) => known === asked);
  if (!status) throw invalidQuery('status', `It must be one of ${statuses.join(', ')}.`);
  const found = await listKept(db, lane, { status, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit;
  const nextCursor = hasMore && last ? last.place : null;
  const info: PageInfo = { total: undefined, totalIsFloor: false, limit, offset: 0, hasMore, nextCursor };
  return { deliveries: page.map(recordOf), counts: await countKept(db, lane), info };
}

/** One delivery, with what was to be told. */
export async function readDelivery(db: ProjectDb, lane: number, id: string) {
  const found = await findKept(db, lane, id);
  if (!found) throw deliveryNotFound(id);
  const { payload, ...kept } = found;
  return { ...recordOf(kept), payload: JSON.parse(payload) as Readonly<Record<string, unknown>> };
}

/** What was tried for a delivery, with what came back. */
export async function readAttempts(db: ProjectDb, lane: number, id: string) {
  const attempts = await listAttempts(db, lane, id);
  return attempts.map(({ note, ...attempt }) => ({ ...attempt, ...note }));
}

/** Sends again what has ended in a lane; says how much that is. */
export async function replayDeliveries(
  deliveries: Pick<Deliveries, 'replay'>,
  {
    db,
    project,
  }: { readonly db: ProjectDb; readonly project: { readonly id: string; readonly cell: number } },
  lane: number,
  body: Static<typeof replayBody>,
): Promise<number> {
  const wish = readReplay(body);
  const count = await deliveries.replay(db, project, lane, wish);
  if (count === 0 && 'id' in wish) throw deliveryNotFound(wish.id);
  return count;
}

function readReplay(body: Static<typeof replayBody>): ReplayWish {
  if ('delivery' in body) return { id: body.delivery };
  if ('dead' in body) return { dead: true };
  return { since: new Date(body.since), until: body.until === undefined ? new Date() : new Date(body.until) };
}
