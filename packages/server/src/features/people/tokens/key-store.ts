import type { JWK } from 'jose';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface StoredKey {
  kid: string;
  publicJwk: JWK;
  /** Sealed by the vault. */
  privateJwk: Buffer;
}

/** The newest signs, and both verify. */
const liveKeys = 2;

/** The keys that count, newest first. */
export function listKeys(control: ControlDb): Promise<StoredKey[]> {
  return control.query<StoredKey>(sql`
    SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk" FROM control.signing_keys
    ORDER BY created_at DESC, kid LIMIT ${liveKeys}`);
}

/** Which keys are published. */
export async function listPublishedKeyIds(control: ControlDb): Promise<string[]> {
  return (await listKeys(control)).map(({ kid }) => kid);
}

/** Lets only one transaction at a time add keys: a new key must not push out one that was just made. */
export async function lockKeys(control: ControlDb): Promise<void> {
  await control.query(sql`LOCK TABLE control.signing_keys IN SHARE ROW EXCLUSIVE MODE`);
}

/** Adds a key, removes those that no longer count, and tells every node. */
export async function insertKey(
  control: ControlDb,
  { kid, publicJwk, privateJwk }: StoredKey,
): Promise<void> {
  await control.query(sql`
    INSERT INTO control.signing_keys (kid, public_jwk, private_jwk, created_at)
    VALUES (${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${privateJwk}, clock_timestamp())`);
  await control.query(sql`
    DELETE FROM control.signing_keys WHERE kid NOT IN (
      SELECT kid FROM control.signing_keys ORDER BY created_at DESC, kid LIMIT ${liveKeys})`);
  await control.query(sql`SELECT control.tell('signing-keys:')`);
}
