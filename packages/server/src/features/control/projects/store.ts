import type { ProjectRecord } from '../../../calls/index.ts';
import type { Tier } from '../../../platform/config/config.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';

const columns = sql`id, ref, name, cell, tier, rate_limit AS "rateLimit", allowed_origins AS "allowedOrigins",
  settings, configs, api_key_hash AS "apiKeyHash", key_in_browser_at AS "keyInBrowserAt", created_at AS "createdAt"`;

/** Fails if the control schema does not exist yet. */
export async function requirePrepared(control: ControlDb): Promise<void> {
  await control.query(sql`SELECT FROM control.projects LIMIT 0`);
}

export async function findByRef(control: ControlDb, ref: string): Promise<ProjectRecord | undefined> {
  const [project] = await control.query<ProjectRecord>(
    sql`SELECT ${columns} FROM control.projects WHERE ref = ${ref} AND deleted_at IS NULL`,
    'projects.find-by-ref',
  );
  return project;
}

export async function lockByRef(control: ControlDb, ref: string): Promise<ProjectRecord | undefined> {
  const [project] = await control.query<ProjectRecord>(sql`
    SELECT ${columns} FROM control.projects WHERE ref = ${ref} AND deleted_at IS NULL FOR NO KEY UPDATE`);
  return project;
}

export async function findById(control: ControlDb, id: string): Promise<ProjectRecord | undefined> {
  const [project] = await control.query<ProjectRecord>(
    sql`SELECT ${columns} FROM control.projects WHERE id = ${id}::bigint AND deleted_at IS NULL`,
    'projects.find-by-id',
  );
  return project;
}

export async function findRefByKeyHash(
  control: ControlDb,
  hash: Buffer,
): Promise<{ ref: string } | undefined> {
  const [project] = await control.query<{ ref: string }>(
    sql`SELECT ref FROM control.projects WHERE api_key_hash = ${hash} AND deleted_at IS NULL`,
    'projects.find-ref-by-key-hash',
  );
  return project;
}

export async function findByIds(control: ControlDb, ids: readonly string[]): Promise<ProjectRecord[]> {
  if (ids.length === 0) return [];
  return control.query<ProjectRecord>(
    sql`SELECT ${columns} FROM control.projects WHERE id = ANY (${ids}::bigint[]) AND deleted_at IS NULL`,
    'projects.find-by-ids',
  );
}

export async function listProjects(
  control: ControlDb,
  page: { limit: number; afterRef: string },
): Promise<ProjectRecord[]> {
  return control.query<ProjectRecord>(sql`SELECT ${columns} FROM control.projects
    WHERE deleted_at IS NULL AND ref > ${page.afterRef} ORDER BY ref LIMIT ${page.limit}`);
}

export async function insertProject(
  control: ControlDb,
  project: {
    ref: string;
    name: string;
    cell: number;
    tier: Tier;
    allowedOrigins: readonly string[];
    apiKeyHash: Buffer;
    /** Of a temporary project: for how long, and what its claim link carries. */
    temporary?: { readonly lastsS: number; readonly claimHash: Buffer };
  },
): Promise<ProjectRecord> {
  const { temporary } = project;
  const [inserted] = await control.query<ProjectRecord>(sql`
    INSERT INTO control.projects (ref, name, cell, tier, allowed_origins, api_key_hash, expires_at, claim_hash)
    VALUES (${project.ref}, ${project.name}, ${project.cell}, ${project.tier}, ${project.allowedOrigins},
      ${project.apiKeyHash}, now() + ${temporary?.lastsS ?? null}::int * interval '1 second', ${temporary?.claimHash ?? null})
    RETURNING ${columns}`);
  return inserted!;
}

export async function saveName(
  control: ControlDb,
  ref: string,
  name: string,
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`name = ${name}`);
}

/** Makes a temporary project one that stays: of many calls at once, exactly one gets it. */
export async function takeClaim(control: ControlDb, hash: Buffer): Promise<ProjectRecord | undefined> {
  const [project] = await control.query<ProjectRecord>(sql`
    WITH claimed AS (
      UPDATE control.projects SET claim_hash = NULL, expires_at = NULL, updated_at = now()
      WHERE claim_hash = ${hash} AND expires_at > now() AND deleted_at IS NULL RETURNING *)
    SELECT ${columns}, control.tell('project:' || ref) FROM claimed`);
  return project;
}

/** Gives a project that waits to be deleted back. */
export async function unmarkDeleted(control: ControlDb, ref: string): Promise<ProjectRecord | undefined> {
  const [project] = await control.query<ProjectRecord>(sql`
    WITH restored AS (
      UPDATE control.projects SET deleted_at = NULL, updated_at = now()
      WHERE ref = ${ref} AND deleted_at > now() - interval '7 days' RETURNING *)
    SELECT ${columns}, control.tell('project:' || ref) FROM restored`);
  return project;
}

/** Marks temporary projects whose time is over as deleted. Returns how many. */
export async function deleteExpired(control: ControlDb, most: number): Promise<number> {
  const expired = await control.query(sql`
    WITH expired AS (
      UPDATE control.projects SET deleted_at = now(), expires_at = NULL WHERE id = ANY (ARRAY (
        SELECT id FROM control.projects WHERE expires_at < now() LIMIT ${most})) AND deleted_at IS NULL
      RETURNING ref)
    SELECT control.tell('project:' || ref) FROM expired`);
  return expired.length;
}

/** Refs of projects whose seven days are over. */
export async function listDueForRemoval(control: ControlDb, most: number): Promise<string[]> {
  const rows = await control.query<{ ref: string }>(sql`
    SELECT ref FROM control.projects WHERE deleted_at < now() - interval '7 days' ORDER BY deleted_at LIMIT ${most}`);
  return rows.map(({ ref }) => ref);
}

/** What of these projects waits to be deleted. */
export async function listWaitingToBeDeleted(
  control: ControlDb,
  ids: readonly string[],
): Promise<{ id: string; ref: string; name: string; deletedAt: Date }[]> {
  return control.query<{ id: string; ref: string; name: string; deletedAt: Date }>(sql`
    SELECT id, ref, name, deleted_at AS "deletedAt" FROM control.projects
    WHERE id = ANY (${ids}::bigint[]) AND deleted_at IS NOT NULL`);
}

/** When temporary projects among these end. */
export async function listExpiries(
  control: ControlDb,
  ids: readonly string[],
): Promise<{ id: string; expiresAt: Date }[]> {
  return control.query<{ id: string; expiresAt: Date }>(sql`
    SELECT id, expires_at AS "expiresAt" FROM control.projects
    WHERE id = ANY (${ids}::bigint[]) AND expires_at IS NOT NULL`);
}

export async function saveApiKey(
  control: ControlDb,
  ref: string,
  apiKeyHash: Buffer,
): Promise<ProjectRecord | undefined> {
  return updateProject(
    control,
    ref,
    sql`api_key_hash = ${apiKeyHash}, api_key_created_at = now(), key_in_browser_at = NULL`,
  );
}

export async function saveTier(
  control: ControlDb,
  ref: string,
  { tier, rateLimit }: Pick<ProjectRecord, 'tier' | 'rateLimit'>,
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`tier = ${tier}, rate_limit = ${rateLimit}`);
}

export async function saveOrigins(
  control: ControlDb,
  ref: string,
  origins: readonly string[],
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`allowed_origins = ${origins}::text[]`);
}

/** Adds an origin at the end, if it is not on the list. */
export async function insertOrigin(
  control: ControlDb,
  ref: string,
  origin: string,
): Promise<ProjectRecord | undefined> {
  return updateProject(
    control,
    ref,
    sql`allowed_origins = CASE WHEN ${origin} = ANY (allowed_origins) THEN allowed_origins
      ELSE array_append(allowed_origins, ${origin}) END`,
  );
}

export async function deleteOrigin(
  control: ControlDb,
  ref: string,
  origin: string,
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`allowed_origins = array_remove(allowed_origins, ${origin})`);
}

/** Sets these settings and leaves the others as they are. */
export async function saveSettings(
  control: ControlDb,
  ref: string,
  settings: ProjectRecord['settings'],
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`settings = settings || ${JSON.stringify(settings)}::jsonb`);
}

export async function copySettings(
  control: ControlDb,
  { settings, configs, allowedOrigins }: ProjectRecord,
  ref: string,
): Promise<ProjectRecord | undefined> {
  return updateProject(
    control,
    ref,
    sql`settings = ${JSON.stringify(settings)}::jsonb, configs = ${JSON.stringify(configs)}::jsonb,
      allowed_origins = ${allowedOrigins}::text[]`,
  );
}

export async function saveConfig(
  control: ControlDb,
  ref: string,
  { name, value }: { name: string; value: unknown },
): Promise<ProjectRecord | undefined> {
  const entry = JSON.stringify({ [name]: value });
  return updateProject(control, ref, sql`configs = configs || ${entry}::jsonb`);
}

export async function removeConfig(
  control: ControlDb,
  ref: string,
  name: string,
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`configs = configs - ${name}::text`);
}

/** Notes when browsers sent the API keys of projects. Nobody has to hear of it. */
export async function noteKeysInBrowser(
  control: ControlDb,
  seen: readonly { id: string; at: Date }[],
): Promise<void> {
  await control.query(sql`
    UPDATE control.projects AS project SET key_in_browser_at = greatest(key_in_browser_at, seen.at)
    FROM unnest(${seen.map(({ id }) => id)}::bigint[], ${seen.map(({ at }) => at.toISOString())}::timestamptz[])
      AS seen (id, at) WHERE project.id = seen.id`);
}

/** From now on no node finds the project; its rows are still there. */
export async function markDeleted(control: ControlDb, ref: string): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`deleted_at = now()`);
}

/** Changes some columns and tells every node. */
async function updateProject(
  control: ControlDb,
  ref: string,
  changes: Sql,
): Promise<ProjectRecord | undefined> {
  const [project] = await control.query<ProjectRecord>(sql`
    WITH changed AS (
      UPDATE control.projects SET ${changes}, updated_at = now() WHERE ref = ${ref} AND deleted_at IS NULL RETURNING *)
    SELECT ${columns}, control.tell('project:' || ref) FROM changed`);
  return project;
}

export async function findDeleted(
  control: ControlDb,
  ref: string,
): Promise<{ id: string; cell: number } | undefined> {
  const [project] = await control.query<{ id: string; cell: number }>(
    sql`SELECT id, cell FROM control.projects WHERE ref = ${ref} AND deleted_at IS NOT NULL`,
  );
  return project;
}

export async function removeDeleted(control: ControlDb, ref: string): Promise<void> {
  await control.query(sql`
    WITH removed AS (DELETE FROM control.projects WHERE ref = ${ref} AND deleted_at IS NOT NULL RETURNING cell)
    UPDATE control.cells SET project_count = project_count - 1 WHERE number = (SELECT cell FROM removed)`);
}
