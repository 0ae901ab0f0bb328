import { onlyRow } from '../../../platform/db/only-row.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Who made a ticket. */
export interface StoredTicket {
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** The API key of the project at that time, if the ticket was made with it. */
  readonly apiKeyHash: Buffer | null;
  /** The account that made it, through the gateway of management. */
  readonly accountId: string | null;
  readonly tokenExpiresAt: Date | null;
}

/** Returns when the ticket expires. */
export async function insertTicket(
  db: ProjectDb,
  hash: Buffer,
  { userId, sessionId, apiKeyHash, accountId, tokenExpiresAt }: StoredTicket,
  lifeSeconds: number,
): Promise<Date> {
  const rows = await db.query<{ expiresAt: Date }>(sql`
    INSERT INTO cell.realtime_tickets
      (project_id, hash, user_id, session_id, api_key_hash, account_id, token_expires_at, expires_at)
    VALUES (${db.scope}, ${hash}, ${userId}::uuid, ${sessionId}::uuid, ${apiKeyHash}::bytea, ${accountId}::uuid,
      to_timestamp(${tokenExpiresAt && tokenExpiresAt.getTime() / 1000}::float8),
      now() + make_interval(secs => ${lifeSeconds}))
    RETURNING expires_at AS "expiresAt"`);
  return onlyRow(rows).expiresAt;
}

/** Removes a ticket and returns it; undefined if there is none, or it has expired. */
export async function takeTicket(db: ProjectDb, hash: Buffer): Promise<StoredTicket | undefined> {
  const [ticket] = await db.query<StoredTicket>(sql`
    DELETE FROM cell.realtime_tickets
    WHERE project_id = ${db.scope} AND hash = ${hash} AND expires_at > now()
    RETURNING user_id AS "userId", session_id AS "sessionId", api_key_hash AS "apiKeyHash",
      account_id AS "accountId",
      token_expires_at AS "tokenExpiresAt"`);
  return ticket;
}
