import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';
import type { ApiKeyRecord, StoredKey } from './api-key.ts';

const columns = sql`id, name, hint, scopes, expires_at AS "expiresAt", allowed_addresses::text[] AS addresses,
  created_at AS "createdAt", used_at AS "usedAt", in_browser_at AS "inBrowserAt"`;

const networks = (addresses: readonly string[]) =>
  sql`ARRAY(SELECT DISTINCT network(given::inet) FROM unnest(${addresses}::text[]) AS given)`;

const instant = (time: Date | null) => sql`${time && time.toISOString()}::timestamptz`;

export async function findByHash(control: ControlDb, hash: Buffer): Promise<StoredKey | undefined> {
  const [key] = await control.query<StoredKey>(
    sql`SELECT id, project_id AS "projectId", key_hash AS hash, scopes, expires_at AS "expiresAt",
      allowed_addresses::text[] AS addresses FROM control.api_keys WHERE key_hash = ${hash}`,
    'api-keys.find-by-hash',
  );
  return key;
}

export async function listOf(control: ControlDb, projectId: string): Promise<ApiKeyRecord[]> {
  return control.query<ApiKeyRecord>(
    sql`SELECT ${columns} FROM control.api_keys WHERE project_id = ${projectId} ORDER BY created_at, id`,
  );
}

export interface NewKey extends Pick<ApiKeyRecord, 'name' | 'hint' | 'scopes' | 'expiresAt' | 'addresses'> {
  readonly hash: Buffer;
}

/** Undefined if the project has as many as it may have. To be called where nobody else adds one. */
export async function insertKey(
  control: ControlDb,
  projectId: string,
  key: NewKey,
  most: number,
): Promise<ApiKeyRecord | undefined> {
  const [inserted] = await control.query<ApiKeyRecord>(sql`
    INSERT INTO control.api_keys (project_id, name, key_hash, hint, scopes, expires_at, allowed_addresses)
    SELECT ${projectId}, ${key.name}, ${key.hash}, ${key.hint}, ${key.scopes}::text[], ${instant(key.expiresAt)},
      ${networks(key.addresses)}
    WHERE (SELECT count(*) FROM control.api_keys WHERE project_id = ${projectId}) < ${most}
    RETURNING ${columns}`);
  return inserted;
}

/** Those who add keys to the same project go one after the other. */
export async function lockKeysOf(control: ControlDb, projectId: string): Promise<void> {
  await control.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('api keys', ${projectId}::bigint))`);
}

export type KeyChanges = Partial<Pick<ApiKeyRecord, 'name' | 'scopes' | 'expiresAt' | 'addresses'>>;

/** Changes a key and tells every node; undefined if the project has none of that id. */
export async function updateKey(
  control: ControlDb,
  { projectId, id }: { projectId: string; id: string },
  { name, scopes, expiresAt, addresses }: KeyChanges,
): Promise<ApiKeyRecord | undefined> {
  const changes: Sql[] = [
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(scopes === undefined ? [] : [sql`scopes = ${scopes}::text[]`]),
    ...(expiresAt === undefined ? [] : [sql`expires_at = ${instant(expiresAt)}`]),
    ...(addresses === undefined ? [] : [sql`allowed_addresses = ${networks(addresses)}`]),
  ];
  const set = changes.reduce((all, change) => sql`${all}, ${change}`, sql`id = id`);
  const [changed] = await control.query<ApiKeyRecord & { told: unknown }>(sql`
    WITH changed AS (
      UPDATE control.api_keys SET ${set} WHERE project_id = ${projectId} AND id = ${id}::uuid RETURNING *)
    SELECT ${columns}, control.tell('key:' || encode(key_hash, 'hex')) AS told FROM changed`);
  if (!changed) return undefined;
  const { told: _, ...key } = changed;
  return key;
}

/** Removes a key and tells every node. */
export async function removeKey(
  control: ControlDb,
  { projectId, id }: { projectId: string; id: string },
): Promise<boolean> {
  const gone = await control.query(sql`
    WITH gone AS (
      DELETE FROM control.api_keys WHERE project_id = ${projectId} AND id = ${id}::uuid RETURNING key_hash)
    SELECT control.tell('key:' || encode(key_hash, 'hex')) FROM gone`);
  return gone.length === 1;
}

export interface SeenKey {
  readonly id: string;
  readonly at: Date;
  readonly isInBrowser: boolean;
}

/** Notes when keys were used. Nobody has to hear of it. */
export async function saveUses(control: ControlDb, seen: readonly SeenKey[]): Promise<void> {
  await control.query(sql`
    UPDATE control.api_keys AS key SET
      used_at = greatest(used_at, seen.at),
      in_browser_at = CASE WHEN seen.in_browser THEN greatest(in_browser_at, seen.at) ELSE in_browser_at END
    FROM unnest(${seen.map(({ id }) => id)}::uuid[], ${seen.map(({ at }) => at.toISOString())}::timestamptz[],
      ${seen.map(({ isInBrowser }) => isInBrowser)}::boolean[]) AS seen (id, at, in_browser)
    WHERE key.id = seen.id`);
}
