import { isId } from '../../platform/ids.ts';
import { type Collection, countDocuments } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { type CountWish, compileFilter, isEverything, readQuery, runList } from '../query/index.ts';
import { isClosed, requireOpen } from '../rules/index.ts';
import type { StoredDocument } from './document.ts';
import { documentNotFound } from './errors.ts';
import type { DocumentServices } from './services.ts';
import { countMatches, findDocument, findPassing, listPage, listPassing } from './store.ts';

/** One document that the caller may read; one it may not read is not there. */
export async function getDocument(
  services: Pick<DocumentServices, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  id: string,
): Promise<StoredDocument> {
  if (context.principal.user && isClosed(context, collection, 'read')) throw documentNotFound(id);
  requireOpen(context, collection, 'read');
  const readable = await services.scopes.readable(context, collection);
  const document = isId(id)
    ? await (isEverything(readable)
        ? findDocument(context.db, collection.number, id)
        : findPassing(context.db, collection.number, id, compileFilter(readable)))
    : undefined;
  if (!document) throw documentNotFound(id);
  return document;
}

/** A page of the documents that the caller may read. To whom all are closed, nothing is said of the query. */
export async function listDocuments(
  { scopes }: Pick<DocumentServices, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  { queryString, wish }: { queryString: string; wish: CountWish },
) {
  requireOpen(context, collection, 'read');
  const query = await readQuery(queryString, await scopes.documents(context, collection));
  const { db } = context;
  const source = {
    page: (page: Parameters<typeof listPage>[2]) => listPage(db, collection.number, page),
    count: (where: Parameters<typeof countMatches>[2], upTo: number | null) =>
      countMatches(db, collection.number, where, upTo),
    countAll: () => countDocuments(db, collection.number),
  };
  const list = await runList(query, await scopes.readable(context, collection), source, wish);
  return { ...list, query };
}

/** Those of some documents that the caller may read, for population. */
export async function readLinkedDocuments(
  { scopes }: Pick<DocumentServices, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  if (isClosed(context, collection, 'read')) return [];
  const readable = await scopes.readable(context, collection);
  return listPassing(context.db, collection.number, ids, compileFilter(readable));
}
