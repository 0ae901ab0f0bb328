import { type Vault, VaultError } from '../crypto/vault.ts';
import { type Queryable, run } from '../db/pool.ts';
import { join, raw, sql } from '../db/sql.ts';
import type { OwnedTable } from './owned-table.ts';

type SealedRow = Record<string, string> & { readonly sealed: Buffer };

/** Whether the vault opens what a table has sealed, tried on one row; undefined if there is none. */
export async function opensSealed(
  connection: Queryable,
  { name, key, sealed }: OwnedTable,
  vault: Vault,
): Promise<boolean | undefined> {
  if (!sealed) return undefined;
  const columns = join(
    key.map((column) => raw(column)),
    ', ',
  );
  const [row] = await run<SealedRow>(
    connection,
    sql`SELECT ${columns}, ${raw(sealed.column)} AS sealed FROM ${raw(name)}
      WHERE ${raw(sealed.column)} IS NOT NULL LIMIT 1`,
  );
  if (!row) return undefined;
  try {
    vault.decrypt(row.sealed, sealed.place(row));
    return true;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}
