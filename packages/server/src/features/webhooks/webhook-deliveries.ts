import { invalidQuery, type PageInfo } from '../../calls/index.ts';
import { readCursorPage } from '../../calls/management/index.ts';
import { newRequestId } from '../../platform/ids.ts';
import {
  countKept,
  type DeliveryStatus,
  findKept,
  type KeptDelivery,
  listAttempts,
  listKept,
  type ReplayWish,
} from '../deliveries/index.ts';
import type { Managed, WebhookDeps } from './deps.ts';
import { deliveryNotFound, webhookNotFound } from './errors.ts';
import { getStored } from './manage-webhooks.ts';
import { sendWebhook } from './send-webhook.ts';

const statuses: readonly DeliveryStatus[] = ['waiting', 'delivered', 'dead'];

function recordOf({ id, type, status, attempts, at, dueAt, error }: KeptDelivery) {
  return { id, type, status, attempts, at, dueAt, error };
}

/** What a webhook was told or is to be told, the newest first. */
export async function listDeliveries(managed: Managed, id: string, queryString: string) {
  const { limit, before } = readCursorPage(queryString, ['status']);
  const asked = new URLSearchParams(queryString).get('status') ?? 'waiting';
  const status = statuses.find((known) => known === asked);
  if (!status) throw invalidQuery('status', 'It is waiting, delivered or dead.');
  const { lane } = await getStored(managed, id);
  const found = await listKept(managed.db, lane, { status, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit;
  const nextCursor = hasMore && last ? last.place : null;
  const info: PageInfo = { total: undefined, totalIsFloor: false, limit, offset: 0, hasMore, nextCursor };
  return { deliveries: page.map(recordOf), counts: await countKept(managed.db, lane), info };
}

/** One delivery, with what was sent and what came back. */
export async function getDelivery(managed: Managed, id: string, delivery: string) {
  const { lane } = await getStored(managed, id);
  const found = await findKept(managed.db, lane, delivery);
  if (!found) throw deliveryNotFound(delivery);
  const { payload, ...kept } = found;
  const attempts = await listAttempts(managed.db, lane, delivery);
  const tried = attempts.map(({ note, ...attempt }) => ({ ...attempt, ...note }));
  return { ...recordOf(kept), payload: JSON.parse(payload) as unknown, tried };
}

/** Sends again what has ended; says how much that is. */
export async function replay(
  deps: WebhookDeps,
  managed: Managed,
  id: string,
  wish: ReplayWish,
): Promise<number> {
  const { lane } = await getStored(managed, id);
  const count = await deps.deliveries.replay(managed.db, managed.project, lane, wish);
  if (count === 0 && 'id' in wish) throw deliveryNotFound(wish.id);
  return count;
}

/** Sends an event that means nothing, and says what came back. */
export async function testWebhook(deps: WebhookDeps, { project }: Managed, id: string) {
  const target = await deps.targets.find(project.cell, project.id, id);
  if (!target) throw webhookNotFound(id);
  const message = 'This is a test. It was sent because somebody asked for it.';
  const event = { id: newRequestId(), type: 'test', event: 'test', at: new Date().toISOString(), message };
  const begunAt = performance.now();
  const outcome = await sendWebhook(deps.outbound, target, { id: event.id, body: JSON.stringify(event) });
  const { status = null, response = null } = outcome.note ?? {};
  return {
    id: event.id,
    delivered: outcome.kind === 'done',
    ms: Math.round(performance.now() - begunAt),
    status,
    response,
    error: outcome.kind === 'done' ? null : outcome.error,
  };
}
