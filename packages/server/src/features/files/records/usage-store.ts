import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { File } from './file.ts';

/** Takes space, or gives it back if the figures are negative. False: there is not enough. */
export async function takeSpace(
  db: ProjectDb,
  taken: { files: number; bytes: number; reserved: number },
  limit: number | null,
): Promise<boolean> {
  const { files, bytes, reserved } = taken;
  const rows = await db.query(sql`
    INSERT INTO cell.storage_usage AS usage (project_id, files, bytes, reserved)
    SELECT ${db.scope}, ${files}::bigint, ${bytes}::bigint, ${reserved}::bigint
    WHERE ${limit}::bigint IS NULL OR ${bytes + reserved}::bigint <= ${limit}::bigint
    ON CONFLICT (project_id) DO UPDATE SET files = usage.files + excluded.files,
      bytes = usage.bytes + excluded.bytes, reserved = usage.reserved + excluded.reserved
    WHERE ${limit}::bigint IS NULL
      OR usage.bytes + usage.reserved + excluded.bytes + excluded.reserved <= ${limit}::bigint
    RETURNING true`);
  return rows.length === 1;
}

/** Subtracts files from the counts of their types. Call it after `takeSpace`: its row is locked first. */
export async function uncountByType(
  db: ProjectDb,
  files: readonly Pick<File, 'extension' | 'size'>[],
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.storage_by_type AS types (project_id, extension, files, bytes)
    SELECT ${db.scope}, extension, -count(*), -sum(size)
    FROM unnest(${files.map(({ extension }) => extension)}::text[], ${files.map(({ size }) => size)}::bigint[])
      AS counted (extension, size)
    GROUP BY extension
    ON CONFLICT (project_id, extension) DO UPDATE SET files = types.files + excluded.files,
      bytes = types.bytes + excluded.bytes`);
}

export async function readUsage(db: ProjectDb) {
  const [usage] = await db.query<{ files: string; bytes: string; reserved: string }>(
    sql`SELECT files, bytes, reserved FROM cell.storage_usage WHERE project_id = ${db.scope}`,
  );
  const types = await db.query<{ extension: string; files: string; bytes: string }>(
    sql`SELECT extension, files, bytes FROM cell.storage_by_type WHERE project_id = ${db.scope} AND files > 0`,
  );
  return {
    files: Number(usage?.files ?? 0),
    bytes: Number(usage?.bytes ?? 0),
    reserved: Number(usage?.reserved ?? 0),
    types: types.map(({ extension, files, bytes }) => ({
      extension,
      files: Number(files),
      bytes: Number(bytes),
    })),
  };
}
