import type { ProjectRecord } from '../../../calls/index.ts';
import type { Tier } from '../../../platform/config/config.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';

const columns = sql`id, ref, name, cell, tier, rate_limit AS "rateLimit", allowed_origins AS "allowedOrigins",
  settings, configs, api_key_hash AS "apiKeyHash", created_at AS "createdAt"`;

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
  },
): Promise<ProjectRecord> {
  const [inserted] = await control.query<ProjectRecord>(sql`
    INSERT INTO control.projects (ref, name, cell, tier, allowed_origins, api_key_hash)
    VALUES (${project.ref}, ${project.name}, ${project.cell}, ${project.tier}, ${project.allowedOrigins}, ${project.apiKeyHash})
    RETURNING ${columns}`);
  return inserted!;
}

export async function saveApiKey(
  control: ControlDb,
  ref: string,
  apiKeyHash: Buffer,
): Promise<ProjectRecord | undefined> {
  return updateProject(control, ref, sql`api_key_hash = ${apiKeyHash}, api_key_created_at = now()`);
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
    SELECT ${columns}, pg_notify('plinth', 'project:' || ref) FROM changed`);
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
