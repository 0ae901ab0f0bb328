import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { Deployment, FunctionRecord } from './function-record.ts';

export interface NewDeployment {
  readonly digest: string;
  readonly code: Buffer;
  readonly maps: Buffer;
  readonly functions: readonly FunctionRecord[];
  readonly bytes: number;
  readonly note: string | null;
  readonly madeBy: string;
}

const columns = sql`version, digest, functions, bytes, note, made_by AS "madeBy", made_at AS "madeAt",
  version = (SELECT version FROM cell.active_deployments AS active WHERE active.project_id = deployments.project_id)
    AS "isActive"`;

/** Whoever deploys waits for whoever deploys already. */
export async function lockDeployments(db: ProjectDb): Promise<void> {
  await db.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('deploy ' || ${db.scope}::bigint, 0))`);
}

/** Keeps a deployment under the next number, which is returned. */
export async function insertDeployment(db: ProjectDb, given: NewDeployment): Promise<number> {
  const { digest, code, maps, functions, bytes, note, madeBy } = given;
  const [row] = await db.query<{ version: number }>(sql`
    INSERT INTO cell.deployments (project_id, version, digest, code, maps, functions, bytes, note, made_by)
    SELECT ${db.scope}, 1 + coalesce(max(version), 0), ${digest}, ${code}, ${maps}, ${JSON.stringify(functions)}::jsonb,
      ${bytes}, ${note}, ${madeBy}
    FROM cell.deployments WHERE project_id = ${db.scope}
    RETURNING version`);
  return row!.version;
}

/** Makes a version the one that runs, and tells every node. */
export async function switchTo(db: ProjectDb, version: number): Promise<void> {
  await db.query(sql`
    WITH switched AS (
      INSERT INTO cell.active_deployments (project_id, version) VALUES (${db.scope}, ${version})
      ON CONFLICT (project_id) DO UPDATE SET version = excluded.version, since = now() RETURNING project_id)
    SELECT pg_notify('plinth', 'code:' || project_id) FROM switched`);
}

/** All but the newest, and never the one that runs. */
export async function dropOldest(db: ProjectDb, kept: number): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.deployments WHERE project_id = ${db.scope}
      AND version NOT IN (SELECT version FROM cell.active_deployments WHERE project_id = ${db.scope})
      AND version <= (SELECT max(version) FROM cell.deployments WHERE project_id = ${db.scope}) - ${kept}`);
}

/** The newest first. */
export async function listDeployments(db: ProjectDb): Promise<Deployment[]> {
  return db.query<Deployment & { version: number }>(
    sql`SELECT ${columns} FROM cell.deployments WHERE project_id = ${db.scope} ORDER BY version DESC`,
  );
}

export async function findDeployment(db: ProjectDb, version: number): Promise<Deployment | undefined> {
  const [row] = await db.query<Deployment & { version: number }>(
    sql`SELECT ${columns} FROM cell.deployments WHERE project_id = ${db.scope} AND version = ${version}`,
  );
  return row;
}

/** The one that runs. */
export async function findActive(db: ProjectDb): Promise<Deployment | undefined> {
  const [row] = await db.query<Deployment & { version: number }>(sql`
    SELECT ${columns} FROM cell.deployments
    WHERE project_id = ${db.scope}
      AND version = (SELECT version FROM cell.active_deployments WHERE project_id = ${db.scope})`);
  return row;
}

/** The compressed files of a version, or the maps that explain them. */
export async function readFiles(
  db: ProjectDb,
  version: number,
  which: 'code' | 'maps',
): Promise<Buffer | undefined> {
  const column = which === 'code' ? sql`code` : sql`maps`;
  const [row] = await db.query<{ content: Buffer }>(
    sql`SELECT ${column} AS content FROM cell.deployments WHERE project_id = ${db.scope} AND version = ${version}`,
  );
  return row?.content;
}
