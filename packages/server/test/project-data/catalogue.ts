import { tables } from '../../src/node/tables.ts';
import type { Pool } from '../../src/platform/db/pool.ts';
import type { OwnedTable } from '../../src/platform/tables/owned-table.ts';

interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  /** It must be given a value. */
  readonly isRequired: boolean;
}

export interface CatalogueTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly CatalogueColumn[];
}

/** Every table that is in a database, as PostgreSQL knows it. */
export async function catalogueOf(pool: Pool): Promise<CatalogueTable[]> {
  const { rows } = await pool.query<{ name: string; key: string[]; columns: CatalogueColumn[] }>(`
    SELECT pg_namespace.nspname || '.' || relname AS name,
      ARRAY (SELECT attname::text FROM pg_constraint, unnest(conkey) WITH ORDINALITY AS part (number, at)
        JOIN pg_attribute ON attnum = part.number AND attrelid = pg_class.oid
        WHERE conrelid = pg_class.oid AND contype = 'p' ORDER BY at) AS key,
      (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
          'isRequired', attnotnull AND NOT atthasdef AND attidentity = '') ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped) AS columns
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%'
    ORDER BY 1`);
  return rows;
}

/** Who says that a table is theirs. */
export const ownersOf = (name: string): OwnedTable[] =>
  tables.filter((table) =>
    table.name.endsWith('*') ? name.startsWith(table.name.slice(0, -1)) : table.name === name,
  );

/** Tables that nobody owns, or more than one. */
export async function withoutOneOwner(pool: Pool): Promise<string[]> {
  const catalogue = await catalogueOf(pool);
  return catalogue.map(({ name }) => name).filter((name) => ownersOf(name).length !== 1);
}

/** Tables that have rows of a project, and how many. */
export async function tracesOf(pool: Pool, projectId: string): Promise<Record<string, number>> {
  const traces: Record<string, number> = {};
  for (const { name, columns } of await catalogueOf(pool)) {
    const column = name === 'control.projects' ? 'id' : 'project_id';
    if (!columns.some((known) => known.name === column)) continue;
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} WHERE ${column} = $1`,
      [projectId],
    );
    if (rows[0] && rows[0].count > 0) traces[name] = rows[0].count;
  }
  return traces;
}
