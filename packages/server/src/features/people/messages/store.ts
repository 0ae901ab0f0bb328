import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { MessageKind } from './message-record.ts';

/** Counts a message to somebody; returns how many there were in this hour. */
export async function countMessage(db: ProjectDb, kind: MessageKind, receiverHash: Buffer): Promise<number> {
  const [row = { messages: 0 }] = await db.query<{ messages: number }>(sql`
    INSERT INTO cell.message_counts AS counted (project_id, receiver_hash, hour, kind, messages)
    VALUES (${db.scope}, ${receiverHash}, date_trunc('hour', now()), ${kind}, 1)
    ON CONFLICT (project_id, receiver_hash, hour) DO UPDATE SET messages = counted.messages + 1
    RETURNING messages`);
  return row.messages;
}

/** How many messages a project has sent since midnight (UTC). */
export async function countMessagesToday(db: ProjectDb, kind: MessageKind): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT coalesce(sum(messages), 0) AS count FROM cell.message_counts
    WHERE project_id = ${db.scope} AND kind = ${kind}
      AND hour >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`);
  return Number(row?.count ?? 0);
}
