import type { RequestContext } from '../../../calls/index.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { isId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { type CheckedFilter, compileFilter, hasLinks, isEverything } from '../query/index.ts';
import { parseFields } from '../records/index.ts';
import { isClosed, passes, requireOpen } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { StoredDocument } from './document.ts';
import { documentNotFound } from './errors.ts';
import { findTogether, isShareable, isShort } from './shared-store.ts';
import { findDocument, findPassing, listPassing } from './store.ts';

/** One document that the caller may read; one it may not read is not there. */
export async function getDocument(
  deps: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  id: string,
): Promise<StoredDocument> {
  if (context.principal.user && isClosed(context, collection, 'read')) throw documentNotFound(id);
  requireOpen(context, collection, 'read');
  const readable = await deps.scopes.readable(context, collection);
  const document = isId(id) ? await findReadable(context, collection, id, readable) : undefined;
  if (!document) throw documentNotFound(id);
  return document;
}

/** What a rule says of the document itself is asked here; what it says through links, where the others are. */
async function findReadable(
  context: RequestContext,
  collection: Collection,
  id: string,
  readable: CheckedFilter,
): Promise<StoredDocument | undefined> {
  const { db } = context;
  if (hasLinks(readable)) return findPassing(db, collection, id, compileFilter(readable));
  const document = await findAny(db, collection, id);
  if (!document || isEverything(readable)) return document;
  if (!isShort(document)) await new Yielder(context.project.id).rest();
  const fields = parseFields(document.data);
  return (await passes(context, collection, readable, { ...document, data: fields })) ? document : undefined;
}

async function findAny(
  db: ProjectDb,
  collection: Collection,
  id: string,
): Promise<StoredDocument | undefined> {
  const found = isShareable(collection) ? await findTogether(db, collection, id) : undefined;
  return found ?? (await findDocument(db, collection, id));
}

/** Those of some documents that the caller may read, for population, as long as they have so many bytes together. */
export async function readLinkedDocuments(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  { ids, bytes }: { ids: readonly string[]; bytes: number },
): Promise<StoredDocument[]> {
  if (isClosed(context, collection, 'read')) return [];
  const where = compileFilter(await scopes.readable(context, collection));
  return listPassing(context.db, collection, { ids, where, bytes });
}
