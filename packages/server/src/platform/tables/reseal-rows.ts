import type { Vault } from '../crypto/vault.ts';
import { type Pool, run } from '../db/pool.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import type { OwnedTable } from './owned-table.ts';

const pageSize = 1000;

type SealedRow = Record<string, string> & { readonly sealed: Buffer };

/** Encrypts a table's secrets again that a former SECRET_KEY has encrypted; how many there were. */
export async function resealRows(pool: Pool, table: OwnedTable, vault: Vault): Promise<number> {
  if (!table.sealed) return 0;
  const { place } = table.sealed;
  let count = 0;
  for (
    let page = await readPage(pool, table);
    page.length > 0;
    page = await readPage(pool, table, page.at(-1))
  ) {
    for (const row of page) {
      if (vault.isCurrent(row.sealed)) continue;
      const again = vault.encrypt(vault.decrypt(row.sealed, place(row)), place(row));
      if (await replace(pool, table, row, again)) count += 1;
    }
  }
  return count;
}

const column = ({ sealed }: OwnedTable) => raw(sealed?.column ?? '');
const keyOf = ({ key }: OwnedTable) =>
  join(
    key.map((name) => raw(name)),
    ', ',
  );
const valuesOf = ({ key }: OwnedTable, row: SealedRow): Sql =>
  join(
    key.map((name) => row[name]),
    ', ',
  );

async function readPage(pool: Pool, table: OwnedTable, after?: SealedRow): Promise<SealedRow[]> {
  const isLater = after ? sql`(${keyOf(table)}) > (${valuesOf(table, after)})` : sql`true`;
  return run<SealedRow>(
    pool,
    sql`SELECT ${keyOf(table)}, ${column(table)} AS sealed FROM ${raw(table.name)}
      WHERE ${column(table)} IS NOT NULL AND ${isLater} ORDER BY ${keyOf(table)} LIMIT ${pageSize}`,
  );
}

/** Puts one sealed form in the place of another, unless the secret was changed or removed meanwhile. */
async function replace(pool: Pool, table: OwnedTable, row: SealedRow, again: Buffer): Promise<boolean> {
  const rows = await run(
    pool,
    sql`UPDATE ${raw(table.name)} SET ${column(table)} = ${again}
      WHERE (${keyOf(table)}) = (${valuesOf(table, row)}) AND ${column(table)} = ${row.sealed} RETURNING true`,
  );
  return rows.length === 1;
}
