import { expect } from 'vitest';
import type { LiveClient } from '../support/live-client.ts';
import { type LiveApp, liveApp } from './live-app.ts';
import { promotablePostgres } from './promotable-postgres.ts';

/** A node on a PostgreSQL of its own, with one subscriber. */
export async function ownServer(settings: Record<string, string>) {
  const postgres = await promotablePostgres();
  const t = await liveApp({ ...settings, ...postgres.overrides, DATABASE_CONNECT_TIMEOUT_MS: '5000' });
  await t.api.post('/collections', { name: 'notes' });
  const client = await t.live();
  await client.subscribe('notes');
  return {
    t,
    postgres,
    client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await t[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

/** Creates a document as soon as there is a server that takes it. */
export async function writeAgain(t: LiveApp, text: string): Promise<void> {
  await expect.poll(async () => (await t.api.post('/collections/notes', { text })).status).toBe(201);
}

export async function textsOf(t: LiveApp): Promise<string[]> {
  const { body } = await t.api.get('/collections/notes');
  return body.data.map(({ text }: { text: string }) => text);
}

export const resyncs = (client: LiveClient) => client.messages.filter(({ type }) => type === 'resync').length;
export const hears = (client: LiveClient, text: string) =>
  client.next('event', ({ document }) => document.text === text, 60_000);
