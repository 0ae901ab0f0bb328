import { countedBytes } from '../packages/server/src/features/data/documents/document.ts';
import type { Pool } from '../packages/server/src/platform/db/pool.ts';
import { timeOfId } from '../packages/server/src/platform/ids.ts';

/** A document that is put into the table of all projects, past the service. */
export interface LoadedDocument {
  readonly projectId: string;
  /** The number of its collection. */
  readonly collection: number;
  readonly id: string;
  readonly data: unknown;
}

const batch = 5000;

/** Inserts documents and counts them in the first slot of their collections. */
export async function loadDocuments(pool: Pool, documents: readonly LoadedDocument[]): Promise<void> {
  for (let at = 0; at < documents.length; at += batch) {
    const part = documents.slice(at, at + batch);
    const texts = part.map(({ data }) => JSON.stringify(data));
    await pool.query(
      `WITH loaded AS (
        INSERT INTO cell.documents (project_id, collection, id, updated_at, bytes, data)
        SELECT * FROM ROWS FROM (unnest($1::bigint[]), unnest($2::int[]), unnest($3::uuid[]), unnest($4::bigint[]),
          unnest($5::int[]), jsonb_array_elements($6::jsonb)) AS given (project_id, collection, id, updated_at, bytes, data)
        RETURNING project_id, collection, bytes
      ), counted AS (SELECT project_id, collection, count(*), sum(bytes) AS bytes FROM loaded GROUP BY 1, 2)
      UPDATE cell.document_counts AS own
      SET documents = own.documents + counted.count, bytes = own.bytes + counted.bytes FROM counted
      WHERE own.project_id = counted.project_id AND own.collection = counted.collection AND own.slot = 0`,
      [
        part.map(({ projectId }) => projectId),
        part.map(({ collection }) => collection),
        part.map(({ id }) => id),
        part.map(({ id }) => timeOfId(id)),
        texts.map(countedBytes),
        `[${texts.join(',')}]`,
      ],
    );
  }
}
