import type { AppendProgress } from '../../../platform/blobs/blob-store.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { takeSpace } from '../records/index.ts';

/** An upload in several calls. Its id becomes the file's. */
export interface Upload {
  readonly id: string;
  readonly kind: 'resumable' | 'direct';
  readonly name: string;
  readonly path: string;
  readonly isPrivate: boolean;
  readonly uploadedBy: string | null;
  readonly size: number;
  readonly progress: AppendProgress;
}

export async function insertUpload(db: ProjectDb, upload: Omit<Upload, 'progress'>): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.uploads (project_id, id, kind, name, path, is_private, uploaded_by, size)
    VALUES (${db.scope}, ${upload.id}, ${upload.kind}, ${upload.name}, ${upload.path}, ${upload.isPrivate},
      ${upload.uploadedBy}, ${upload.size})`);
}

/** How many uploads of an app user are under way, counting no further than `upTo`. */
export async function countUploadsOf(db: ProjectDb, userId: string, upTo: number): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM (
      SELECT FROM cell.uploads WHERE project_id = ${db.scope} AND uploaded_by = ${userId}::uuid LIMIT ${upTo}) AS own`);
  return Number(row?.count ?? 0);
}

export async function findUpload(db: ProjectDb, id: string): Promise<Upload | undefined> {
  const [row] = await db.query<Omit<Upload, 'size'> & { size: string }>(
    sql`SELECT id, kind, name, path, is_private AS "isPrivate", uploaded_by AS "uploadedBy", size, progress
      FROM cell.uploads WHERE project_id = ${db.scope} AND id = ${id}::uuid`,
    'files.find-upload',
  );
  return row && { ...row, size: Number(row.size) };
}

/** Saves how far an upload has come. False: another call has written to it meanwhile. */
export async function saveProgress(
  db: ProjectDb,
  id: string,
  from: number,
  progress: AppendProgress,
): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.uploads SET progress = ${JSON.stringify(progress)}::jsonb
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND (progress ->> 'size')::bigint = ${from} RETURNING true`);
  return rows.length === 1;
}

/** Gives one call the right to add bytes for a while; the same call can renew it. Also true if there is no upload yet. */
export async function takeLease(db: ProjectDb, id: string, lease: string, seconds: number): Promise<boolean> {
  const [row] = await db.query<{ is_taken: boolean }>(sql`
    WITH taken AS (
      UPDATE cell.uploads SET lease = ${lease}, lease_until = now() + ${seconds} * interval '1 second'
      WHERE project_id = ${db.scope} AND id = ${id}::uuid
        AND (lease IS NULL OR lease = ${lease} OR lease_until < now())
      RETURNING true)
    SELECT EXISTS (SELECT FROM taken) OR NOT EXISTS (
      SELECT FROM cell.uploads WHERE project_id = ${db.scope} AND id = ${id}::uuid) AS is_taken`);
  return row?.is_taken === true;
}

export async function returnLease(db: ProjectDb, id: string, lease: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.uploads SET lease = NULL WHERE project_id = ${db.scope} AND id = ${id}::uuid AND lease = ${lease}`);
}

/** Removes an upload that has become a file, whose space is counted as such. False: it was removed before. */
export async function removeUpload(db: ProjectDb, id: string): Promise<boolean> {
  const rows = await db.query(
    sql`DELETE FROM cell.uploads WHERE project_id = ${db.scope} AND id = ${id}::uuid RETURNING true`,
  );
  return rows.length === 1;
}

/** Removes an upload that comes to nothing, and gives back the space reserved for it. */
export async function endUpload(db: ProjectDb, id: string): Promise<void> {
  const [ended] = await db.query<{ size: string }>(
    sql`DELETE FROM cell.uploads WHERE project_id = ${db.scope} AND id = ${id}::uuid RETURNING size`,
  );
  if (ended) await takeSpace(db, { files: 0, bytes: 0, reserved: -Number(ended.size) }, null);
}
