import type { Client } from 'pg';
import { onlyRow } from '../db/only-row.ts';

/** More than this are not gone through: everything is doubted instead. */
const mostChanges = 10_000;

/** What was told by transactions that had not ended at a horizon; undefined if it is too much. */
export async function readChanges(
  client: Client,
  horizon: string,
): Promise<{ topic: string; key: string }[] | undefined> {
  const { rows } = await client.query<{ topic: string }>(
    'SELECT DISTINCT topic FROM control.changes WHERE transaction >= $1::xid8 LIMIT $2',
    [horizon, mostChanges],
  );
  return rows.length < mostChanges ? rows.map(({ topic }) => splitTopic(topic)) : undefined;
}

/** `topic:key` as it is told. */
export function splitTopic(text: string): { topic: string; key: string } {
  const colon = text.indexOf(':');
  return { topic: text.slice(0, colon), key: text.slice(colon + 1) };
}

/**
 * Which history of which server this is. After a failover that lost commits, or a restored backup, the numbers of
 * transactions start again from earlier ones, and say nothing of what was cached.
 */
export async function originOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ origin: string }>(
    `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
      AS origin`,
  );
  return onlyRow(rows).origin;
}
