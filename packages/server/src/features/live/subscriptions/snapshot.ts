import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import { compileFilter, listAfter, type StoredDocument, tooManyQueries } from '../../data/index.ts';
import { snapshotTooLarge } from '../errors.ts';
import { currentVisibility, type LiveQuery, type Visibility } from '../feed/index.ts';

const pageSize = 500;
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
  for (let read = 0; ; ) {
    const page = await listAfter(db, collection, { where, after, limit: pageSize });
    read += page.length;
    if (read > mostDocuments) throw snapshotTooLarge(mostDocuments);
    pages.push(page);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return pages;
    after = last.id;
  }
}
