import { reservedNames } from '@plinth/protocol';
import { type Answer, ok, type RequestContext, readPage } from '../../../calls/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Collection } from '../collections/index.ts';
import { type FieldLink, listLinksTo } from '../links/index.ts';
import type { DocumentDeps } from './deps.ts';
import { listDocuments } from './list-documents.ts';
import { getDocument } from './read-documents.ts';

/** Fields on a page of backlinks. @limit - */
const mostFields = 20;
/** Total time for counting their documents. @limit - ms */
const longestMs = 5000;

/** What was seen to link to a collection, and how many documents link to this one. */
interface Backlink {
  readonly collection: string;
  readonly field: string;
  /** The list of those documents. */
  readonly query: string;
  /** Null: it would take too long to count them. */
  readonly total: number | null;
  readonly totalIsFloor: boolean;
}

/** The documents that link to one, by collection and field. */
export async function listBacklinks(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { id, queryString }: { id: string; queryString: string },
): Promise<Answer> {
  const { limit, offset } = await readPage(queryString, { defaultLimit: mostFields, maxLimit: mostFields });
  const document = await getDocument(deps, context, collection, id);
  const links = await listLinksTo(context.db, collection.number, { limit: limit + 1, offset });
  const endsAt = performance.now() + longestMs;
  const found: Backlink[] = [];
  for (const link of links.slice(0, limit)) {
    const backlink = await countLinks(deps, context, { link, id: document.id, endsAt });
    if (backlink && backlink.total !== 0) found.push(backlink);
  }
  return {
    ...ok(found),
    page: {
      total: undefined,
      totalIsFloor: false,
      limit,
      offset,
      hasMore: links.length > limit,
      nextCursor: null,
    },
  };
}

async function countLinks(
  deps: DocumentDeps,
  context: RequestContext,
  { link, id, endsAt }: { link: FieldLink; id: string; endsAt: number },
): Promise<Backlink | undefined> {
  const from = await deps.collections.findByNumber(context, link.collection);
  if (!from) return undefined;
  const query = `${parameterOf(link.field)}=${id}`;
  const backlink = { collection: from.name, field: link.field, query };
  const unknown = { ...backlink, total: null, totalIsFloor: false };
  if (performance.now() > endsAt) return unknown;
  try {
    const list = await listDocuments(deps, context, from, {
      queryString: `${query}&limit=1`,
      wish: 'default',
    });
    return { ...backlink, total: list.page.total ?? null, totalIsFloor: list.page.totalIsFloor };
  } catch (error) {
    if (error instanceof AppError && error.code === 'query_too_slow') return unknown;
    throw error;
  }
}

/** The field as the query language names it. */
function parameterOf(field: string): string {
  const isPlain = /^[a-z][\w.-]*$/i.test(field) && !field.includes('__') && !reservedNames.has(field);
  return isPlain ? field : encodeURIComponent(`field:${field}`);
}
