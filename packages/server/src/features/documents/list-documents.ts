import { isTimeout } from '../../platform/db/pool.ts';
import type { ProjectDb, ProjectLocation } from '../../platform/db/project-db.ts';
import type { Scans } from '../../platform/db/scans.ts';
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
import {
  countMatches,
  findLinkedIds,
  gatherPage,
  listPage,
  queryPrepared,
  type RunSql,
} from './list-store.ts';
import type { DocumentServices } from './services.ts';

type Services = Pick<DocumentServices, 'scopes' | 'scans' | 'alike' | 'shapes'>;

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
    ? await readList({ db: context.db, run: (sql) => queryPrepared(context.db, sql) }, collection, asked)
    : await readWithinBudget(services, context, collection, asked);
  return { ...list, query };
}

/** Does the primary key serve it? */
function isQuick({ query, readable }: Asked): boolean {
  return isEverything(readable) && isEverything(query.filter) && query.sort.length === 1;
}

/** A list that may go through the whole collection gets only so much time, and it is noted how much it took. */
async function readWithinBudget(
  services: Services,
  { project, db }: RequestContext,
  collection: Collection,
  asked: Asked,
) {
  const { query, readable } = asked;
  const startedAt = performance.now();
  const isMoving = collection.home === 'moving';
  let ms = 0;
  const note = (documents?: number) =>
    services.shapes.note({
      project,
      collection: collection.number,
      filter: { kind: 'and', of: [readable, query.filter] },
      sort: query.sort,
      ms,
      documents,
    });
  const inItsTurn: RunSql = async (statement) => {
    const found = await services.alike.query({ project, isMoving }, statement);
    ms += found.ms;
    return found.rows as never;
  };
  try {
    const list = hasLinkedReads(asked)
      ? await readInOneState(services.scans, project, collection, {
          ...asked,
          counts: db,
          onRead: (tookMs) => {
            ms += tookMs;
          },
        })
      : await readList({ db, run: inItsTurn }, collection, asked);
    note(list.all);
    return list;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    ms = performance.now() - startedAt;
    note();
    throw tooSlow(collection, shapeOf(query.filter, query.sort));
  }
}

function hasLinkedReads({ query, readable }: Asked): boolean {
  return hasIndexedLink(readable) || hasIndexedLink(query.filter);
}

/** Records that are looked up first must be those that the list then sees: one of several reads that see one state. */
async function readInOneState(
  scans: Scans,
  project: ProjectLocation,
  collection: Collection,
  asked: Asked & { counts: ProjectDb; onRead: (ms: number) => void },
) {
  const list = await scans.run(project, (db) =>
    db.snapshot((db) => {
      const run: RunSql = async (statement) => {
        const startedAt = performance.now();
        const found = await (collection.home === 'moving'
          ? db.query(statement)
          : queryPrepared(db, statement));
        asked.onRead(performance.now() - startedAt);
        return found as never;
      };
      const findLinked = (filter: LinkedFilter, upTo: number) => findLinkedIds({ db, run }, filter, upTo);
      return readList({ db: asked.counts, run, findLinked }, collection, asked);
    }),
  );
  if (!list) throw tooManyQueries();
  return list;
}

interface Readers {
  /** The project's door; reads how many documents there are. */
  readonly db: ProjectDb;
  /** Reads what may take long. */
  readonly run: RunSql;
  readonly findLinked?: (filter: LinkedFilter, upTo: number) => Promise<string[]>;
}

function readList({ db, run, findLinked }: Readers, collection: Collection, asked: Asked) {
  const { query, readable, wish } = asked;
  const reader = { db, run };
  const source = {
    page: (page: PageSql) => listPage(reader, collection, page),
    gather: (gather: GatherSql) => gatherPage(reader, collection, gather),
    count: (counting: Counting) => countMatches(reader, collection, counting),
    countAll: () => countDocuments(db, collection.number),
    indexes:
      collection.home === 'own'
        ? collection.indexes.filter(({ kind, state }) => kind === 'sort' && state === 'ready')
        : [],
    ...(findLinked && { findLinked }),
  };
  return runList(query, readable, source, wish);
}
