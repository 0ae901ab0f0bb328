import { createKey } from '../../../src/features/control/api-keys/index.ts';
import { Client } from '../client.ts';
import type { TestApp } from '../test-app.ts';

interface Wish {
  readonly expiresAt?: Date;
  readonly addresses?: readonly string[];
  readonly url?: string;
}

/** A further key of the first project. */
export async function newKey(t: TestApp, scopes: readonly string[], { url = t.url, ...more }: Wish = {}) {
  const { record, apiKey } = await createKey(t.control, {
    ref: t.projects[0].ref,
    name: 'test',
    scopes,
    ...more,
  });
  return { id: record.id, apiKey, client: new Client(url, { 'x-api-key': apiKey }) };
}

/** Calls with a further key of the first project. */
export async function clientWith(t: TestApp, ...scopes: readonly string[]): Promise<Client> {
  return (await newKey(t, scopes)).client;
}
