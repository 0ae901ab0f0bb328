import { randomUUID } from 'node:crypto';
import type { Client, Notification } from 'pg';
import { lapse } from '../concurrency/lapse.ts';
import { onlyRow } from '../db/only-row.ts';
import { errorCode } from '../error-code.ts';
import { guarded } from '../guarded.ts';

/** A connection that LISTENs and hears nothing: what is cached would be believed for ever. */
export class DeafConnectionError extends Error {
  constructor(options?: ErrorOptions) {
    super(
      'A node cannot receive notifications through this database address: it points to a pooler in transaction mode. ' +
        'Set DATABASE_URL and CELL_DATABASE_URLS to PostgreSQL itself, and POOLED_DATABASE_URLS to the pooler.',
      options,
    );
  }
}

/**
 * Begins to LISTEN, and shows that it is heard: another connection sends a word, which must arrive while this one is
 * idle. Behind a transaction pooler LISTEN succeeds and means nothing. Returns which process of PostgreSQL listens.
 */
export async function listenProven(
  client: Client,
  channel: string,
  { other, withinMs }: { readonly other: () => Client; readonly withinMs: number },
): Promise<number> {
  const word = `proof:${randomUUID()}`;
  const heard = Promise.withResolvers<true>();
  const hear = guarded(heard.reject, ({ payload }: Notification) => {
    if (payload === word) heard.resolve(true);
  });
  client.on('notification', hear);
  try {
    await client.query(`LISTEN ${channel}`);
    const pid = await backendOf(client);
    await sayOver(other(), channel, word);
    const isHeard = await Promise.race([heard.promise, lapse(withinMs).then(() => false)]);
    if (!isHeard) throw new DeafConnectionError();
    return pid;
  } finally {
    client.off('notification', hear);
  }
}

/** The process of PostgreSQL that a connection speaks to. */
async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return onlyRow(rows).pid;
}

async function sayOver(connection: Client, channel: string, word: string): Promise<void> {
  try {
    await connection.connect();
    await connection.query('SELECT pg_notify($1, $2)', [channel, word]);
  } finally {
    await connection.end().catch(() => {});
  }
}

/** Poolers refuse settings that they do not know, before anything can be proven. */
export function isRefusedByPooler(error: unknown): boolean {
  return errorCode(error) === '08P01' && error instanceof Error && /startup parameter/.test(error.message);
}
