import { type Answer, invalidQuery, ok, type RequestContext, refuseOthers } from '../../../calls/index.ts';
import { isUuid, lowestIdOf } from '../../../platform/ids.ts';
import type { CollectionDirectory } from '../collections/index.ts';
import { listAfter } from '../documents/index.ts';
import type { DocumentSchemas } from '../rules/index.ts';

/** Documents that one request for mismatches checks against the schema. @limit - */
const mostLooked = 1000;
/** The size of these documents together. @limit - bytes */
const mostBytes = 2 * 1_048_576;
/** Mismatches in one response. @limit - */
const mostTold = 100;

export interface MismatchDeps {
  readonly directory: CollectionDirectory;
  readonly schemas: DocumentSchemas;
}

/** Stored documents that do not match the collection's schema, the oldest first: most of them are older than the schema. */
export async function findMismatches(
  { directory, schemas }: MismatchDeps,
  context: RequestContext,
  nameOrId: string,
  queryString: string,
): Promise<Answer> {
  const after = readCursor(queryString);
  const collection = await directory.get(context, nameOrId);
  const { documents, hasMore } = collection.settings.schema
    ? await listAfter(context.db, collection, { after, limit: mostLooked, bytes: mostBytes })
    : { documents: [], hasMore: false };
  const texts = documents.map(({ data }) => data);
  const { misfits, looked } = await schemas.findMisfits(context, collection, texts, mostTold);
  const isEnd = looked === documents.length && !hasMore;
  const nextCursor = isEnd ? null : (documents[looked - 1]?.id ?? null);
  return {
    ...ok(misfits.map(({ at, path, problem }) => ({ id: documents[at]!.id, path, problem }))),
    beside: { checked: String(looked) },
    page: { total: undefined, totalIsFloor: false, limit: mostTold, offset: 0, hasMore: !isEnd, nextCursor },
  };
}

function readCursor(queryString: string): string {
  refuseOthers(queryString, ['cursor']);
  const cursor = new URLSearchParams(queryString).get('cursor') ?? lowestIdOf(0);
  if (!isUuid(cursor)) throw invalidQuery('cursor', 'Send the nextCursor of the previous page, unchanged.');
  return cursor;
}
