import type { QueryResultRow } from 'pg';
import type { RequestContext } from '../../../calls/index.ts';
import { isTimeout } from '../../../platform/db/failures.ts';
import type { ProjectDb, ProjectLocation } from '../../../platform/db/project-db.ts';
import type { Sql } from '../../../platform/db/sql.ts';
import { type Collection, countDocuments } from '../collections/index.ts';
import { warningsAbout } from '../field-names/index.ts';
import { isInOwnTable, isMoving } from '../placement/index.ts';
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
  QueryCost,
  readQuery,
  runList,
} from '../query/index.ts';
import { shapeOf, tooManyQueries, tooSlow } from '../query-shapes/index.ts';
import { requireOpen } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import { countMatches, findLinkedIds, gatherPage, listPage, type RunSql } from './list-store.ts';

type ListDeps = Pick<DocumentDeps, 'scopes' | 'scans' | 'alike' | 'shapes' | 'fieldNames'>;

interface Asked {
  readonly query: CheckedQuery;
  readonly readable: CheckedFilter;
  readonly wish: CountWish;
}

/** A page of the documents that the caller may read. A caller who may read none is told nothing about the query. */
export async function listDocuments(
  deps: ListDeps,
  context: RequestContext,
  collection: Collection,
  { queryString, wish }: { queryString: string; wish: CountWish },
) {
  requireOpen(context, collection, 'read');
  const cost = new QueryCost();
  const query = await readQuery(queryString, await deps.scopes.documents(context, collection, { cost }));
  const readable = await deps.scopes.readable(context, collection, cost);
  const asked = { query, readable, wish };
  const list = isQuick(asked)
    ? await readList(
        { db: context.db, run: (statement) => deps.alike.queryByKey(context.db, statement) },
        collection,
        asked,
      )
    : await readWithinBudget(deps, context, collection, asked);
  return { ...list, query, warnings: await warningsOf(deps, context, collection, { query, list }) };
}

async function warningsOf(
  { fieldNames }: ListDeps,
  context: RequestContext,
  collection: Collection,
  { query, list }: { query: CheckedQuery; list: { items: readonly unknown[] } },
): Promise<string[]> {
  const isEmpty = list.items.length === 0 && query.offset === 0 && query.cursor === undefined;
  if (!isEmpty && query.sort.length === 1) return [];
  const names = context.principal.isTrusted ? await fieldNames.allOf(context, collection.number) : undefined;
  return warningsAbout({ query, isEmpty, names });
}

/** Does the primary key serve it? */
function isQuick({ query, readable }: Asked): boolean {
  return isEverything(readable) && isEverything(query.filter) && query.sort.length === 1;
}

/** A list that may go through the whole collection gets only so much time, and it is noted how much it took. */
async function readWithinBudget(
  deps: ListDeps,
  { project, db }: RequestContext,
  collection: Collection,
  asked: Asked,
) {
  const { query, readable } = asked;
  const startedAt = performance.now();
  const moving = isMoving(collection);
  let ms = 0;
  const note = (documents?: number) =>
    deps.shapes.note({
      project,
      collection: collection.number,
      filter: { kind: 'and', of: [readable, query.filter] },
      sort: query.sort,
      ms,
      documents,
    });
  const inItsTurn = async <Row extends QueryResultRow>(statement: Sql): Promise<Row[]> => {
    const found = await deps.alike.query<Row>({ project, isMoving: moving }, statement);
    ms += found.ms;
    return found.rows;
  };
  try {
    const list = hasLinkedReads(asked)
      ? await readInOneState(deps, project, collection, {
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

/** Linked records are looked up first and must be those that the list then sees: all reads see one state. */
async function readInOneState(
  { scans, alike }: ListDeps,
  project: ProjectLocation,
  collection: Collection,
  asked: Asked & { counts: ProjectDb; onRead: (ms: number) => void },
) {
  const list = await scans.run(project, (db) =>
    db.snapshot((db) => {
      const run = async <Row extends QueryResultRow>(statement: Sql): Promise<Row[]> => {
        const startedAt = performance.now();
        const found = await (isMoving(collection)
          ? db.query<Row>(statement)
          : alike.queryAlone<Row>(db, statement));
        asked.onRead(performance.now() - startedAt);
        return found;
      };
      const findLinked = (filter: LinkedFilter, upTo: number) => findLinkedIds({ db, run }, filter, upTo);
      return readList({ db: asked.counts, run, findLinked }, collection, asked);
    }),
  );
  if (!list) throw tooManyQueries();
  return list;
}

interface Readers {
  /** Reads how many documents there are. */
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
    indexes: isInOwnTable(collection)
      ? collection.indexes.filter(({ kind, state }) => kind === 'sort' && state === 'ready')
      : [],
    ...(findLinked && { findLinked }),
  };
  return runList(query, readable, source, wish);
}
