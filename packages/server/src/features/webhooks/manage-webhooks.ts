import { randomUUID } from 'node:crypto';
import { findSubscriber, listStates, listSubscribers } from '../deliveries/index.ts';
import { checkEvents, checkFilter, checkUrl } from './check-webhook.ts';
import type { Managed, WebhookDeps } from './deps.ts';
import { tooManyWebhooks, webhookNotFound } from './errors.ts';
import { newSecret, secretPlace } from './secret.ts';
import {
  addSecret,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhooks,
  notifyChanged,
  removeWebhook,
  updateWebhook,
} from './store.ts';
import { kind, type StoredWebhook, type WebhookRecord, webhookRecord } from './webhook.ts';

/** Webhooks of one project. @limit too_many_webhooks */
const mostWebhooks = 50;
/** How long a secret that was replaced still signs. */
const keepOldS = 24 * 3600;

export interface WebhookWish {
  readonly url: string;
  readonly events: readonly string[];
  readonly filter?: string | null;
  readonly description?: string;
  readonly ordered?: boolean;
}

/** All webhooks of a project, the oldest first. */
export async function listAll({ db }: Managed): Promise<WebhookRecord[]> {
  const subscribers = new Map((await listSubscribers(db, kind)).map((one) => [one.name, one]));
  const states = await listStates(db, kind);
  return (await listWebhooks(db)).flatMap((webhook) => {
    const subscriber = subscribers.get(webhook.id);
    return subscriber ? [webhookRecord(webhook, subscriber, states.get(webhook.id))] : [];
  });
}

export async function getStored({ db }: Managed, id: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(db, id);
  if (!webhook) throw webhookNotFound(id);
  return webhook;
}

export async function getWebhook(managed: Managed, id: string): Promise<WebhookRecord> {
  const subscriber = await findSubscriber(managed.db, kind, id);
  if (!subscriber) throw webhookNotFound(id);
  const states = await listStates(managed.db, kind, id);
  return webhookRecord(await getStored(managed, id), subscriber, states.get(id));
}

/** Makes a webhook. This is the only time that its secret is returned. */
export async function createWebhook(
  deps: WebhookDeps,
  managed: Managed,
  wish: WebhookWish,
): Promise<WebhookRecord & { secret: string }> {
  const url = checkUrl(deps.outbound, wish.url);
  const events = checkEvents(wish.events);
  const filter = wish.filter ?? null;
  await checkFilter(filter, events);
  const id = randomUUID();
  const secret = newSecret();
  const { project } = managed;
  await managed.db.transaction(async (db) => {
    if ((await lockWebhooks(db)) >= mostWebhooks) throw tooManyWebhooks(mostWebhooks);
    const isOrdered = wish.ordered ?? false;
    const { lane } = await deps.subscribers.save(db, { kind, name: id, events, filter, isOrdered });
    await insertWebhook(db, { id, lane, url, description: wish.description ?? '' });
    await addSecret(db, id, deps.vault.encrypt(secret, secretPlace(project.id, id)), keepOldS);
  });
  await deps.caughtUp(project);
  return { ...(await getWebhook(managed, id)), secret };
}

/** Changes any part of a webhook. Enabling one begins anew, with what has waited. */
export async function changeWebhook(
  deps: WebhookDeps,
  managed: Managed,
  id: string,
  changes: Partial<WebhookWish> & { readonly enabled?: boolean },
): Promise<WebhookRecord> {
  const before = await getWebhook(managed, id);
  const { url: oldUrl, description: oldDescription } = before;
  const url = changes.url === undefined ? oldUrl : checkUrl(deps.outbound, changes.url);
  const events = changes.events === undefined ? before.events : checkEvents(changes.events);
  const filter = changes.filter === undefined ? before.filter : changes.filter;
  await checkFilter(filter, events);
  const { project } = managed;
  const lane = await managed.db.transaction(async (db) => {
    const isOrdered = changes.ordered ?? before.ordered;
    const { lane } = await deps.subscribers.save(db, { kind, name: id, events, filter, isOrdered });
    await updateWebhook(db, { id, url, description: changes.description ?? oldDescription });
    if (changes.enabled === false) await deps.subscribers.disable(db, lane, 'paused');
    if (changes.enabled === true) await deps.subscribers.enable(db, lane);
    await notifyChanged(db, id);
    return lane;
  });
  await deps.caughtUp(project);
  deps.deliveries.hint(project.cell, { projectId: project.id, lane });
  return getWebhook(managed, id);
}

/** Deletes a webhook, with everything that it was still to be told. */
export async function deleteWebhook(deps: WebhookDeps, managed: Managed, id: string): Promise<void> {
  const { lane } = await getStored(managed, id);
  await managed.db.transaction(async (db) => {
    await removeWebhook(db, id);
    await deps.subscribers.remove(db, lane);
    await notifyChanged(db, id);
  });
  await deps.caughtUp(managed.project);
}

/** Gives a webhook another secret. For a day, it is signed with the one before as well. */
export async function rotateSecret(deps: WebhookDeps, managed: Managed, id: string): Promise<string> {
  const { project } = managed;
  await getStored(managed, id);
  const secret = newSecret();
  await managed.db.transaction(async (db) => {
    await addSecret(db, id, deps.vault.encrypt(secret, secretPlace(project.id, id)), keepOldS);
    await notifyChanged(db, id);
  });
  await deps.caughtUp(project);
  return secret;
}
