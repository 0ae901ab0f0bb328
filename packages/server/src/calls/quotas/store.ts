import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Quota } from './quota.ts';

/** One node at a time looks how much is left of a project’s quotas; held until the transaction ends. */
export async function lockLeases(db: ProjectDb): Promise<void> {
  await db.query(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('plinth quotas ' || ${db.scope}::bigint, 0))`,
  );
}

/** What other nodes may still use of a quota. */
export async function sumLeasesOfOthers(db: ProjectDb, quota: Quota, node: string): Promise<number> {
  const [row] = await db.query<{ amount: string }>(sql`
    SELECT coalesce(sum(amount), 0) AS amount FROM cell.quota_leases
    WHERE project_id = ${db.scope} AND quota = ${quota} AND node <> ${node}::uuid AND expires_at > now()`);
  return Number(row?.amount ?? 0);
}

export async function saveLease(
  db: ProjectDb,
  { quota, node, amount, lastsS }: { quota: Quota; node: string; amount: number; lastsS: number },
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.quota_leases (project_id, quota, node, amount, expires_at)
    VALUES (${db.scope}, ${quota}, ${node}, ${amount}, now() + make_interval(secs => ${lastsS}::int))
    ON CONFLICT (project_id, quota, node) DO UPDATE SET amount = excluded.amount, expires_at = excluded.expires_at`);
}
