import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Counts a mail to somebody; returns how many there were in this hour. */
export async function countMail(db: ProjectDb, receiverHash: Buffer): Promise<number> {
  const [row = { mails: 0 }] = await db.query<{ mails: number }>(sql`
    INSERT INTO cell.mail_counts AS counted (project_id, receiver_hash, hour, mails)
    VALUES (${db.scope}, ${receiverHash}, date_trunc('hour', now()), 1)
    ON CONFLICT (project_id, receiver_hash, hour) DO UPDATE SET mails = counted.mails + 1
    RETURNING mails`);
  return row.mails;
}
