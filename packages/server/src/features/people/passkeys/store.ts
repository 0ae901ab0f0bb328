import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { NewPasskey, OwnPasskey, Passkey, PasskeyProof, PasskeyUse } from './passkey.ts';

const columns = sql`id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt", backed_up AS "backedUp"`;

/** Keeps a passkey. Undefined: there is one of that id already, whoever's it is. */
export async function insertPasskey(db: ProjectDb, passkey: NewPasskey): Promise<Passkey | undefined> {
  const [row] = await db.query<Passkey>(sql`
    INSERT INTO cell.passkeys (project_id, id, user_id, public_key, sign_count, transports, name, aaguid, backed_up,
      rp_id)
    VALUES (${db.scope}, ${passkey.id}, ${passkey.userId}, ${Buffer.from(passkey.publicKey)}, ${passkey.signCount},
      ${passkey.transports}::text[], ${passkey.name}, ${passkey.aaguid}, ${passkey.backedUp}, ${passkey.rpId})
    ON CONFLICT (project_id, id) DO NOTHING
    RETURNING ${columns}`);
  return row;
}

export async function findPasskey(
  db: ProjectDb,
  { id, rpId }: { id: string; rpId: string },
): Promise<PasskeyProof | undefined> {
  const [row] = await db.query<Omit<PasskeyProof, 'signCount'> & { signCount: string }>(
    sql`SELECT id, user_id AS "userId", public_key AS "publicKey", sign_count AS "signCount" FROM cell.passkeys
      WHERE project_id = ${db.scope} AND id = ${id} AND rp_id = ${rpId}`,
    'passkeys.find',
  );
  return row && { ...row, signCount: Number(row.signCount) };
}

/** Notes a sign-in. False: the passkey is gone, or its count did not grow, so that there may be a copy of it. */
export async function noteUse(db: ProjectDb, use: PasskeyUse): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.passkeys SET sign_count = ${use.signCount}::bigint, backed_up = ${use.backedUp}, last_used_at = now()
    WHERE project_id = ${db.scope} AND id = ${use.id} AND user_id = ${use.userId}::uuid
      AND (sign_count < ${use.signCount}::bigint OR (sign_count = 0 AND ${use.signCount}::bigint = 0))
    RETURNING true`);
  return rows.length === 1;
}

export async function listPasskeys(db: ProjectDb, userId: string): Promise<Passkey[]> {
  return db.query<Passkey>(sql`
    SELECT ${columns} FROM cell.passkeys
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid ORDER BY created_at, id`);
}

/** How a device knows the passkeys that a user has on a domain. */
export async function listCredentials(
  db: ProjectDb,
  { userId, rpId }: { userId: string; rpId: string },
): Promise<{ id: string; transports: string[] }[]> {
  return db.query(sql`
    SELECT id, transports FROM cell.passkeys
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND rp_id = ${rpId}`);
}

export async function countPasskeys(db: ProjectDb, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM cell.passkeys WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
  return row?.count ?? 0;
}

/** Undefined: the user has no such passkey. */
export async function renamePasskey(
  db: ProjectDb,
  { id, userId }: OwnPasskey,
  name: string,
): Promise<Passkey | undefined> {
  const [row] = await db.query<Passkey>(sql`
    UPDATE cell.passkeys SET name = ${name}
    WHERE project_id = ${db.scope} AND id = ${id} AND user_id = ${userId}::uuid RETURNING ${columns}`);
  return row;
}

/** False: the user has no such passkey. */
export async function deletePasskey(db: ProjectDb, { id, userId }: OwnPasskey): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.passkeys
    WHERE project_id = ${db.scope} AND id = ${id} AND user_id = ${userId}::uuid RETURNING true`);
  return rows.length === 1;
}

export async function deletePasskeysOf(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`DELETE FROM cell.passkeys WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}
