import type { Tier } from '../../platform/config.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { Project } from './project.ts';

const columns = sql`id, ref, name, cell, tier, rate_limit AS "rateLimit", allowed_origins AS "allowedOrigins",
  settings, configs, api_key_hash AS "apiKeyHash", created_at AS "createdAt"`;

/** Fails where the control schema is not there yet. */
export async function requirePrepared(control: ControlDb): Promise<void> {
  await control.query(sql`SELECT FROM control.projects LIMIT 0`);
}

export async function findByRef(control: ControlDb, ref: string): Promise<Project | undefined> {
  const [project] = await control.query<Project>(
    sql`SELECT ${columns} FROM control.projects WHERE ref = ${ref} AND deleted_at IS NULL`,
    'projects.find-by-ref',
  );
  return project;
}

export async function findById(control: ControlDb, id: string): Promise<Project | undefined> {
  const [project] = await control.query<Project>(
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
): Promise<Project[]> {
  return control.query<Project>(sql`SELECT ${columns} FROM control.projects
    WHERE deleted_at IS NULL AND ref > ${page.afterRef} ORDER BY ref LIMIT ${page.limit}`);
}

/** Takes the emptiest open cell and counts the project into it. */
export async function takeCell(control: ControlDb): Promise<number | undefined> {
  const [cell] = await control.query<{ number: number }>(sql`
    UPDATE control.cells SET project_count = project_count + 1 WHERE number = (
      SELECT number FROM control.cells WHERE open ORDER BY project_count, number LIMIT 1 FOR UPDATE)
    RETURNING number`);
  return cell?.number;
}

export async function registerCells(control: ControlDb, numbers: readonly number[]): Promise<void> {
  await control.query(
    sql`INSERT INTO control.cells (number) SELECT unnest(${numbers}::smallint[]) ON CONFLICT DO NOTHING`,
  );
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
): Promise<Project> {
  const [inserted] = await control.query<Project>(sql`
    INSERT INTO control.projects (ref, name, cell, tier, allowed_origins, api_key_hash)
    VALUES (${project.ref}, ${project.name}, ${project.cell}, ${project.tier}, ${project.allowedOrigins}, ${project.apiKeyHash})
    RETURNING ${columns}`);
  return inserted!;
}

/** Changes some columns and tells every node. */
export async function updateProject(
  control: ControlDb,
  ref: string,
  changes: Sql,
): Promise<Project | undefined> {
  const [project] = await control.query<Project>(sql`
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
