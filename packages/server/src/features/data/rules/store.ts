import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type CheckedFilter, compileFilter, withoutIndexes } from '../query/index.ts';
import type { Fields } from '../records/index.ts';

/** A document that is stored or about to be. */
export interface CheckedDocument {
  readonly id: string;
  readonly updatedAt: number;
  readonly data: Readonly<Fields>;
}

/** Does a document pass a filter as a row of its own? It need not be stored. */
export async function isRowPassing(
  db: ProjectDb,
  filter: CheckedFilter,
  { collection, id, updatedAt, data }: CheckedDocument & { collection: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT FROM (SELECT ${db.scope}::bigint AS project_id, ${collection}::int AS collection, ${id}::uuid AS id,
      ${updatedAt}::bigint AS updated_at, ${JSON.stringify(data)}::jsonb AS data) AS own
    WHERE ${compileFilter(withoutIndexes(filter))}`);
  return rows.length === 1;
}
