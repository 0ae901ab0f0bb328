import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { AccountPasskey, NewAccountPasskey, PasskeyUse, StoredKey } from './passkey.ts';

const columns = sql`id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt", backed_up AS "backedUp"`;

type Row = AccountPasskey & Record<string, unknown>;

/** Keeps a passkey. Undefined: there is one of that key already, whoever's it is. */
export async function insertPasskey(
  control: ControlDb,
  passkey: Omit<NewAccountPasskey, 'challenge'> & { readonly id: string; readonly accountId: string },
): Promise<AccountPasskey | undefined> {
  const [row] = await control.query<Row>(sql`
    INSERT INTO control.account_passkeys (id, account_id, credential_id, public_key, sign_count, transports, name, aaguid,
      backed_up, rp_id)
    VALUES (${passkey.id}::uuid, ${passkey.accountId}::uuid, ${passkey.credentialId}, ${Buffer.from(passkey.publicKey)},
      ${passkey.signCount}, ${passkey.transports}::text[], ${passkey.name}, ${passkey.aaguid}::uuid, ${passkey.backedUp},
      ${passkey.rpId})
    ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}`);
  return row;
}

export async function findKey(
  control: ControlDb,
  { credentialId, rpId }: { credentialId: string; rpId: string },
): Promise<StoredKey | undefined> {
  const [row] = await control.query<Omit<StoredKey, 'signCount'> & { signCount: string }>(sql`
    SELECT id, account_id AS "accountId", public_key AS "publicKey", sign_count AS "signCount"
    FROM control.account_passkeys WHERE credential_id = ${credentialId} AND rp_id = ${rpId}`);
  return row && { ...row, signCount: Number(row.signCount) };
}

/** Notes a sign-in. False: the passkey is gone, or its count did not grow, so that there may be a copy of it. */
export async function noteUse(control: ControlDb, use: PasskeyUse): Promise<boolean> {
  const rows = await control.query(sql`
    UPDATE control.account_passkeys
    SET sign_count = ${use.signCount}::bigint, backed_up = ${use.backedUp}, last_used_at = now()
    WHERE id = ${use.id}::uuid AND account_id = ${use.accountId}::uuid
      AND (sign_count < ${use.signCount}::bigint OR (sign_count = 0 AND ${use.signCount}::bigint = 0))
    RETURNING true`);
  return rows.length === 1;
}

export async function listPasskeys(control: ControlDb, accountId: string): Promise<AccountPasskey[]> {
  return control.query<Row>(sql`
    SELECT ${columns} FROM control.account_passkeys WHERE account_id = ${accountId}::uuid ORDER BY created_at, id`);
}

/** How a device knows the passkeys that an account has on a domain. */
export async function listCredentials(
  control: ControlDb,
  { accountId, rpId }: { accountId: string; rpId: string },
): Promise<{ id: string; transports: string[] }[]> {
  return control.query(sql`
    SELECT credential_id AS id, transports FROM control.account_passkeys
    WHERE account_id = ${accountId}::uuid AND rp_id = ${rpId}`);
}

export async function countPasskeys(control: ControlDb, accountId: string): Promise<number> {
  const [row] = await control.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM control.account_passkeys WHERE account_id = ${accountId}::uuid`);
  return row?.count ?? 0;
}

interface OwnPasskey {
  readonly id: string;
  readonly accountId: string;
}

/** Undefined: the account has no such passkey. */
export async function renamePasskey(
  control: ControlDb,
  { id, accountId }: OwnPasskey,
  name: string,
): Promise<AccountPasskey | undefined> {
  const [row] = await control.query<Row>(sql`
    UPDATE control.account_passkeys SET name = ${name}
    WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid RETURNING ${columns}`);
  return row;
}

/** False: the account has no such passkey. */
export async function deletePasskey(control: ControlDb, { id, accountId }: OwnPasskey): Promise<boolean> {
  const rows = await control.query(sql`
    DELETE FROM control.account_passkeys WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid RETURNING true`);
  return rows.length === 1;
}
