import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface StoredSecret {
  readonly id: string;
  readonly name: string;
  readonly sealed: Buffer;
}

export async function findSecret(
  control: ControlDb,
  projectId: string,
  name: string,
): Promise<Buffer | undefined> {
  const [row] = await control.query<{ sealed: Buffer }>(
    sql`SELECT sealed FROM control.project_secrets WHERE project_id = ${projectId} AND name = ${name}`,
    'project-secrets.find',
  );
  return row?.sealed;
}

/** Stores a secret and tells every node. */
export async function saveSecret(control: ControlDb, { id, name, sealed }: StoredSecret): Promise<void> {
  await control.query(sql`
    WITH kept AS (
      INSERT INTO control.project_secrets (project_id, name, sealed) VALUES (${id}, ${name}, ${sealed})
      ON CONFLICT (project_id, name) DO UPDATE SET sealed = excluded.sealed, updated_at = now() RETURNING project_id, name)
    SELECT control.tell('secret:' || project_id || ' ' || name), control.tell('env:' || project_id)
    FROM kept`);
}

export async function removeSecret(control: ControlDb, projectId: string, name: string): Promise<boolean> {
  const rows = await control.query(sql`
    WITH gone AS (
      DELETE FROM control.project_secrets WHERE project_id = ${projectId} AND name = ${name} RETURNING project_id, name)
    SELECT control.tell('secret:' || project_id || ' ' || name), control.tell('env:' || project_id)
    FROM gone`);
  return rows.length === 1;
}

export async function listSecretNames(control: ControlDb, projectId: string): Promise<string[]> {
  const rows = await control.query<{ name: string }>(
    sql`SELECT name FROM control.project_secrets WHERE project_id = ${projectId} ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** Those whose names begin so. */
export async function listSecrets(
  control: ControlDb,
  projectId: string,
  prefix: string,
): Promise<Pick<StoredSecret, 'name' | 'sealed'>[]> {
  return control.query<Pick<StoredSecret, 'name' | 'sealed'>>(
    sql`SELECT name, sealed FROM control.project_secrets
      WHERE project_id = ${projectId} AND starts_with(name, ${prefix}) ORDER BY name`,
  );
}
