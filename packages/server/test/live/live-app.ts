import { expect, inject } from 'vitest';
import { Client } from '../support/client.ts';
import { isMissing } from '../support/is-missing.ts';
import { LiveClient } from '../support/live-client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

const withRedis: [string, () => Record<string, string>] = [
  'with Redis',
  () => ({ REDIS_URL: inject('redisUrl') }),
];

/** What carries changes between nodes: nothing, or Redis. The same tests run on both. */
export const engines: [name: string, settings: () => Record<string, string>][] = [
  ['in one process', () => ({})],
  ...(isMissing('redis') ? [] : [withRedis]),
];

export type LiveApp = TestApp & {
  /** A connection with the API key of the first project, or with other headers. */
  live(headers?: Record<string, string>, url?: string): Promise<LiveClient>;
  /** Calls with the first project's API key to another node. */
  apiOn(url: string): Client;
  newCollection(name: string, settings: Record<string, unknown>): Promise<void>;
};

export async function liveApp(overrides: Record<string, string> = {}): Promise<LiveApp> {
  const t = await testApp(overrides);
  const live = (headers: Record<string, string> = { 'x-api-key': t.projects[0].apiKey }, url = t.url) =>
    LiveClient.open(url, headers);
  const newCollection = async (name: string, settings: Record<string, unknown>) => {
    await t.api.post('/collections', { name });
    const reply = await t.api.patch(`/collections/${name}`, { settings });
    expect(reply.status, reply.text).toBe(200);
  };
  const apiOn = (url: string) => new Client(url, { 'x-api-key': t.projects[0].apiKey });
  return Object.assign(t, { live, apiOn, newCollection });
}

/** From now on somebody reads the change feed: whoever can ask only once need not wait until it is there. */
export async function beginFeed(t: LiveApp, collection: string): Promise<void> {
  await using client = await t.live();
  await client.subscribe(collection);
}

export const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
