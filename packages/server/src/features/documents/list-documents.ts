import { isTimeout } from '../../platform/db/pool.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { type Collection, countDocuments } from '../collections/index.ts';
import { shapeOf, tooManyQueries, tooSlow } from '../indexes/index.ts';
import type { RequestContext } from '../projects/index.ts';
import {
  type CheckedFilter,
  type CheckedQuery,
  type Counting,
  type CountWish,
  type GatherSql,
  hasIndexedLink,
  isEverything,
  type LinkedFilter,
  type PageSql,
  readQuery,
  runList,
} from '../query/index.ts';
import { requireOpen } from '../rules/index.ts';
import { countMatches, findLinked, gatherPage, listPage } from './list-store.ts';
import type { DocumentServices } from './services.ts';

type Services = Pick<DocumentServices, 'scopes' | 'scans' | 'shapes'>;

interface Asked {
  readonly query: CheckedQuery;
  readonly readable: CheckedFilter;
  readonly wish: CountWish;
}

/** A page of the documents that the caller may read. To whom all are closed, nothing is said of the query. */
export async function listDocuments(
  services: Services,
  context: RequestContext,
  collection: Collection,
  { queryString, wish }: { queryString: string; wish: CountWish },
) {
  requireOpen(context, collection, 'read');
  const query = await readQuery(queryString, await services.scopes.documents(context, collection));
  const readable = await services.scopes.readable(context, collection);
  const asked = { query, readable, wish };
  const list = isQuick(asked)
    ? await readList({ db: context.db, counts: context.db }, collection, asked)
    : await readWithinBudget(services, context, collection, asked);
  return { ...list, query };
}

/** Does the primary key serve it? */
function isQuick({ query, readable }: Asked): boolean {
  return isEverything(readable) && isEverything(query.filter) && query.sort.length === 1;
}

/** A list that may go through the whole collection gets only so much time, and it is noted how much it took. */
async function readWithinBudget(
  { scans, shapes }: Services,
  { project, db: counts }: RequestContext,
  collection: Collection,
  asked: Asked,
) {
  const { query, readable } = asked;
  const note = (startedAt: number, documents?: number) =>
    shapes.note({
      project,
      collection: collection.number,
      filter: { kind: 'and', of: [readable, query.filter] },
      sort: query.sort,
      ms: performance.now() - startedAt,
      documents,
    });
  const list = await scans.run(project, async (db) => {
    const startedAt = performance.now();
    try {
      const found = await readList({ db, counts }, collection, asked);
      note(startedAt, found.all);
      return found;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      note(startedAt);
      throw tooSlow(collection, shapeOf(query.filter, query.sort));
    }
  });
  if (!list) throw tooManyQueries();
  return list;
}

interface Readers {
  readonly db: ProjectDb;
  /** Reads only how many documents there are. */
  readonly counts: ProjectDb;
}

/** Records that are looked up first must be those that the list then sees: one of several reads that see one state. */
async function readList({ db, counts }: Readers, collection: Collection, asked: Asked) {
  const { query, readable, wish } = asked;
  const source = (db: ProjectDb) => ({
    page: (page: PageSql) => listPage(db, collection, page),
    gather: (gather: GatherSql) => gatherPage(db, collection, gather),
    count: (counting: Counting) => countMatches(db, collection, counting),
    countAll: () => countDocuments(counts, collection.number),
    indexes:
      collection.home === 'own'
        ? collection.indexes.filter(({ kind, state }) => kind === 'sort' && state === 'ready')
        : [],
  });
  if (!hasIndexedLink(readable) && !hasIndexedLink(query.filter))
    return runList(query, readable, source(db), wish);
  return db.snapshot((db) => {
    const find = (filter: LinkedFilter, upTo: number) => findLinked(db, filter, upTo);
    return runList(query, readable, { ...source(db), findLinked: find }, wish);
  });
}
