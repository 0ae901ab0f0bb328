import { budgets } from '../../../calls/index.ts';
import type { Visibility } from '../../../platform/change-feed/visibility.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import { compileFilter, listAfter, type StoredDocument, tooManyQueries } from '../../data/index.ts';
import { snapshotTooLarge } from '../errors.ts';
import { currentVisibility, type LiveQuery } from '../feed/index.ts';

const pageSize = 500;
const pageBytes = 1_048_576;
/** Documents in a snapshot. @limit snapshot_too_large */
const mostDocuments = 10_000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** All documents of a query at one moment, in pages, and which transactions had committed by then. */
export async function readSnapshot(
  scans: Scans,
  query: LiveQuery,
): Promise<{ pages: StoredDocument[][]; seen: Visibility }> {
  const found = await scans.run(query.context.project, (db) =>
    db.snapshot(async (db) => {
      const seen = await currentVisibility(db);
      return { pages: await readPages(db, query), seen };
    }),
  );
  if (!found) throw tooManyQueries();
  return found;
}

async function readPages(db: ProjectDb, { collection, filter }: LiveQuery): Promise<StoredDocument[][]> {
  const where = compileFilter(filter);
  const pages: StoredDocument[][] = [];
  let after = beforeAll;
  let [read, bytes] = [0, 0];
  for (;;) {
    const page = await listAfter(db, collection, { where, after, limit: pageSize, bytes: pageBytes });
    const { documents, hasMore } = page;
    read += documents.length;
    for (const { data } of documents) bytes += data.length;
    if (read > mostDocuments || bytes > budgets.snapshotBytes)
      throw snapshotTooLarge(mostDocuments, budgets.snapshotBytes);
    pages.push(documents);
    const last = documents.at(-1);
    if (!last || !hasMore) return pages;
    after = last.id;
  }
}
