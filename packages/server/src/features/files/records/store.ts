import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type File, type NewFile } from './file.ts';

interface Row extends Omit<File, 'size'> {
  size: string;
}

/** The outer join found nothing to join. */
interface NoRow {
  id: null;
}

const columns = sql`id, url_key AS "urlKey", name, path, extension, size, width, height, is_private AS "isPrivate",
  uploaded_by AS "uploadedBy", held_by AS "heldBy", created_at AS "createdAt"`;

const toFile = <Found extends Row>(row: Found) => ({ ...row, size: Number(row.size) });

/** What came of an attempt to record files: all of them, or none. */
interface Recorded {
  readonly files: File[];
  /** False: the sweep has given up their bytes. True, and no files: there is not enough space. */
  readonly hasBytes: boolean;
}

/**
 * Records files whose bytes are stored, and counts them, if there is space. An upload and the sweep that gives it up meet
 * at the row of the loose bytes. The project's usage row makes those who record at the same time queue, so it is locked
 * late, in one statement with the rest.
 */
export async function insertFiles(
  db: ProjectDb,
  files: readonly NewFile[],
  { trees, heldBy, reserved, limit }: Recording,
): Promise<Recorded> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const rows = await db.query<(Row | NoRow) & { loose: string }>(
    sql`WITH new AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(files)}::jsonb) AS new (id uuid, "urlKey" text, name text,
        path text, extension text, size bigint, width int, height int, "isPrivate" boolean, "uploadedBy" uuid)
    ), loose AS (
      SELECT tree FROM cell.loose_blobs
      WHERE project_id = ${db.scope} AND tree = ANY (${trees}::text[]) AND NOT is_doomed FOR UPDATE
    ), usage AS (
      INSERT INTO cell.storage_usage AS usage (project_id, files, bytes, reserved)
      SELECT ${db.scope}, ${files.length}::bigint, ${bytes}::bigint, ${-reserved}::bigint
      WHERE (SELECT count(*) FROM loose) = ${files.length}
        AND (${limit}::bigint IS NULL OR ${bytes - reserved}::bigint <= ${limit}::bigint)
      ON CONFLICT (project_id) DO UPDATE SET files = usage.files + excluded.files,
        bytes = usage.bytes + excluded.bytes, reserved = usage.reserved + excluded.reserved
      WHERE ${limit}::bigint IS NULL
        OR usage.bytes + usage.reserved + excluded.bytes + excluded.reserved <= ${limit}::bigint
      RETURNING true
    ), by_type AS (
      INSERT INTO cell.storage_by_type AS types (project_id, extension, files, bytes)
      SELECT ${db.scope}, extension, count(*), sum(size) FROM usage, new GROUP BY extension
      ON CONFLICT (project_id, extension) DO UPDATE SET files = types.files + excluded.files,
        bytes = types.bytes + excluded.bytes
    ), taken AS (
      DELETE FROM cell.loose_blobs USING usage
      WHERE project_id = ${db.scope} AND tree = ANY (${trees}::text[])
    ), recorded AS (
      INSERT INTO cell.files (project_id, id, url_key, name, path, extension, size, width, height, is_private,
        uploaded_by, held_by, created_at)
      SELECT ${db.scope}, id, "urlKey", name, path, extension, size, width, height, "isPrivate", "uploadedBy",
        ${heldBy}, date_trunc('milliseconds', clock_timestamp())
      FROM usage, new
      RETURNING ${columns}
    )
    SELECT found.loose, recorded.* FROM (SELECT count(*) AS loose FROM loose) AS found LEFT JOIN recorded ON true`,
    'files.insert',
  );
  return {
    files: rows.flatMap(({ loose: _loose, ...row }) => (row.id === null ? [] : [toFile(row)])),
    hasBytes: Number(rows[0]?.loose) === files.length,
  };
}

interface Recording {
  /** Where the bytes are. */
  readonly trees: readonly string[];
  readonly heldBy: string | null;
  /** Space that was set aside for them. */
  readonly reserved: number;
  readonly limit: number | null;
}

export async function findFile(db: ProjectDb, id: string): Promise<File | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.files WHERE project_id = ${db.scope} AND id = ${id}::uuid`,
    'files.find',
  );
  return row && toFile(row);
}

export async function findByUrlKey(db: ProjectDb, urlKey: string): Promise<File | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.files WHERE project_id = ${db.scope} AND url_key = ${urlKey}`,
    'files.find-by-url-key',
  );
  return row && toFile(row);
}

interface HeldFile extends File {
  readonly heldBy: string;
}

export async function listHeldBy(db: ProjectDb, holders: readonly string[]): Promise<HeldFile[]> {
  const rows = await db.query<Row & { heldBy: string }>(
    sql`SELECT ${columns} FROM cell.files WHERE project_id = ${db.scope} AND held_by = ANY (${holders}::uuid[])`,
    'files.list-held-by',
  );
  return rows.map(toFile);
}

/** Removes records and dooms their bytes, which are removed after the commit. Returns what it removed. */
export async function removeFiles(db: ProjectDb, ids: readonly string[]): Promise<RemovedFile[]> {
  const rows = await db.query<{ extension: string; size: string; variantBytes: string }>(sql`
    WITH removed AS (
      DELETE FROM cell.files WHERE project_id = ${db.scope} AND id = ANY (ARRAY (
        SELECT id FROM cell.files WHERE project_id = ${db.scope} AND id = ANY (${ids}::uuid[])
        ORDER BY id FOR UPDATE))
      RETURNING project_id, id, extension, size, variant_bytes
    ), loose AS (
      INSERT INTO cell.loose_blobs (tree, project_id, remove_after, is_doomed)
      SELECT project_id || '/' || id, project_id, now(), true FROM removed
    )
    SELECT extension, size, variant_bytes AS "variantBytes" FROM removed`);
  return rows.map(({ extension, size, variantBytes }) => ({
    extension,
    size: Number(size),
    variantBytes: Number(variantBytes),
  }));
}

interface RemovedFile extends Pick<File, 'extension' | 'size'> {
  /** Of the resized images that were kept beside it. */
  readonly variantBytes: number;
}

/** A folder, and whose files of it are listed: everyone's, or those that one app user sent. */
export interface ListedFolder {
  readonly path: string;
  readonly uploadedBy: string | undefined;
}

const inFolder = (db: ProjectDb, { path, uploadedBy }: ListedFolder) =>
  uploadedBy === undefined
    ? sql`project_id = ${db.scope} AND path = ${path}`
    : sql`project_id = ${db.scope} AND uploaded_by = ${uploadedBy}::uuid AND path = ${path}`;

export async function listFiles(
  db: ProjectDb,
  folder: ListedFolder,
  page: { limit: number; offset: number },
): Promise<File[]> {
  const rows = await db.query<Row>(sql`
    SELECT ${columns} FROM cell.files WHERE ${inFolder(db, folder)}
    ORDER BY created_at DESC, id LIMIT ${page.limit} OFFSET ${page.offset}`);
  return rows.map(toFile);
}

export async function countFiles(db: ProjectDb, folder: ListedFolder): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    sql`SELECT count(*) AS count FROM cell.files WHERE ${inFolder(db, folder)}`,
  );
  return Number(row?.count ?? 0);
}

/** Sorts after whatever a path can hold. */
const last = '\u{10ffff}';

/**
 * The folders directly inside one. Each step of the recursion jumps over everything in the folder it has found, so the
 * cost grows with the folders and not with the files.
 */
export async function listFolders(
  db: ProjectDb,
  { path, uploadedBy }: ListedFolder,
  limit: number,
): Promise<string[]> {
  const whose = uploadedBy === undefined ? sql`true` : sql`uploaded_by = ${uploadedBy}::uuid`;
  const next = sql`(SELECT ${path}::text || split_part(substr(path, length(${path}::text) + 1), '/', 1) || '/'
    FROM cell.files WHERE project_id = ${db.scope} AND ${whose}`;
  const rows = await db.query<{ folder: string }>(sql`
    WITH RECURSIVE folders (folder) AS (
      ${next} AND path > ${path}::text AND path < ${path}::text || ${last} ORDER BY path LIMIT 1)
      UNION ALL
      SELECT ${next} AND path > folders.folder || ${last} AND path < ${path}::text || ${last}
        ORDER BY path LIMIT 1) FROM folders WHERE folder IS NOT NULL
    )
    SELECT folder FROM folders WHERE folder IS NOT NULL LIMIT ${limit}`);
  return rows.map(({ folder }) => folder);
}

/** Counts one more resized image that is kept beside the file. False: there are enough, or the file is gone. */
export async function countVariant(
  db: ProjectDb,
  id: string,
  { bytes, limit }: { bytes: number; limit: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.files SET variants = variants + 1, variant_bytes = variant_bytes + ${bytes}
    WHERE project_id = ${db.scope} AND id = ${id}::uuid AND variants < ${limit} RETURNING true`);
  return rows.length === 1;
}

/** Takes back what `countVariant` has counted in the same transaction. */
export async function uncountVariant(db: ProjectDb, id: string, bytes: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.files SET variants = variants - 1, variant_bytes = variant_bytes - ${bytes}
    WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

/** Has all bytes of a deleted project removed by housekeeping. */
export async function doomBlobs(db: ProjectDb): Promise<void> {
  // Uploads under way come to nothing, and what they still write is removed later.
  await db.query(sql`
    UPDATE cell.loose_blobs SET is_doomed = true, remove_after = now() + interval '1 hour'
    WHERE project_id = ${db.scope} AND NOT is_doomed`);
  await db.query(sql`
    INSERT INTO cell.loose_blobs (tree, project_id, remove_after, is_doomed)
    VALUES ((${db.scope}::bigint)::text, ${db.scope}, now(), true) ON CONFLICT (tree) DO UPDATE SET remove_after = now()`);
}
