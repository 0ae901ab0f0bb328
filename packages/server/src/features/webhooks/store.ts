import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StoredWebhook } from './webhook.ts';

const columns = sql`id, lane, url, description, created_at AS "createdAt", updated_at AS "updatedAt"`;

type Row = StoredWebhook & Record<string, unknown>;

export async function listWebhooks(db: ProjectDb): Promise<StoredWebhook[]> {
  return db.query<Row>(
    sql`SELECT ${columns} FROM cell.webhooks WHERE project_id = ${db.scope} ORDER BY created_at, id`,
  );
}

export async function findWebhook(db: ProjectDb, id: string): Promise<StoredWebhook | undefined> {
  const [found] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.webhooks WHERE project_id = ${db.scope} AND id = ${id}::uuid`,
  );
  return found;
}

/** Nobody else adds a webhook to the project until the transaction ends; returns how many there are. */
export async function lockWebhooks(db: ProjectDb): Promise<number> {
  await db.query(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('plinth webhooks ' || ${db.scope}::bigint, 0))`,
  );
  const [row] = await db.query<{ count: string }>(
    sql`SELECT count(*) AS count FROM cell.webhooks WHERE project_id = ${db.scope}`,
  );
  return Number(row?.count ?? 0);
}

export async function insertWebhook(
  db: ProjectDb,
  { id, lane, url, description }: Pick<StoredWebhook, 'id' | 'lane' | 'url' | 'description'>,
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.webhooks (project_id, id, lane, url, description)
    VALUES (${db.scope}, ${id}, ${lane}, ${url}, ${description})`);
}

export async function updateWebhook(
  db: ProjectDb,
  { id, url, description }: Pick<StoredWebhook, 'id' | 'url' | 'description'>,
): Promise<StoredWebhook> {
  const [row] = await db.query<Row>(sql`
    UPDATE cell.webhooks SET url = ${url}, description = ${description}, updated_at = now()
    WHERE project_id = ${db.scope} AND id = ${id}::uuid RETURNING ${columns}`);
  return row!;
}

export async function removeWebhook(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`WITH secrets AS (
      DELETE FROM cell.webhook_secrets WHERE project_id = ${db.scope} AND webhook = ${id}::uuid
    )
    DELETE FROM cell.webhooks WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

/** Signs with a new secret, and for so long with those before. */
export async function addSecret(db: ProjectDb, id: string, sealed: Buffer, keepOldS: number): Promise<void> {
  await db.query(sql`UPDATE cell.webhook_secrets SET expires_at = now() + make_interval(secs => ${keepOldS}::int)
    WHERE project_id = ${db.scope} AND webhook = ${id}::uuid AND expires_at IS NULL`);
  await db.query(sql`INSERT INTO cell.webhook_secrets (project_id, webhook, secret)
    VALUES (${db.scope}, ${id}, ${sealed})`);
}

export interface SealedSecret {
  readonly secret: Buffer;
  readonly expiresAt: Date | null;
}

const signedWith = 5;

/** What it is signed with, the newest first. */
export async function listSecrets(db: ProjectDb, id: string): Promise<SealedSecret[]> {
  return db.query<SealedSecret & Record<string, unknown>>(sql`
    SELECT secret, expires_at AS "expiresAt" FROM cell.webhook_secrets
    WHERE project_id = ${db.scope} AND webhook = ${id}::uuid AND (expires_at IS NULL OR expires_at > now())
    ORDER BY number DESC LIMIT ${signedWith}`);
}

/** Tells every node that what it remembers of a webhook is out of date. */
export async function notifyChanged(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`SELECT pg_notify('plinth', 'webhook:' || ${db.scope}::bigint || '/' || ${id}::text)`);
}
