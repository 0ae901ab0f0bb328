import type { Answer, PageInfo, RequestContext } from '../../../calls/index.ts';
import { type Collection, collectionRecord } from '../collections/index.ts';
import { populate } from '../links/index.ts';
import { parseFields } from '../records/index.ts';
import { hiddenPaths, removeHidden } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import { documentJson, type StoredDocument, selectPaths, versionTag } from './document.ts';
import type { Projection } from './projection.ts';

/**
 * Turns documents into what this caller may see of them, as JSON text: the one projection, for every answer that
 * carries documents. Where nothing has to be looked at, PostgreSQL's text passes through unparsed.
 */
export async function present(
  { loadLinked }: Pick<DocumentDeps, 'loadLinked'>,
  context: RequestContext,
  collection: Collection,
  documents: readonly StoredDocument[],
  projection: Projection = {},
): Promise<string[]> {
  const hidden = hiddenPaths(context.principal, collection.settings);
  const populated = projection.populate ?? [];
  if (hidden.length === 0 && populated.length === 0 && !projection.select) return documents.map(documentJson);
  const records = documents.map((document) => {
    const record = parseFields(documentJson(document));
    removeHidden(record, hidden);
    return record;
  });
  await populate(records, populated, loadLinked(context));
  const { select } = projection;
  if (!select) return records.map((record) => JSON.stringify(record));
  const kept = [...select, ...populated.map((path) => path.slice(0, 1))];
  return records.map((record) => JSON.stringify(selectPaths(record, kept)));
}

/** One document as this caller may see it, with its version. */
export async function oneAnswer(
  deps: Pick<DocumentDeps, 'loadLinked'>,
  context: RequestContext,
  collection: Collection,
  { status, document, projection }: { status: 200 | 201; document: StoredDocument; projection?: Projection },
): Promise<Answer> {
  const [data = ''] = await present(deps, context, collection, [document], projection);
  return { status, data, headers: { ETag: versionTag(document.version) } };
}

export function severalAnswer(status: 200 | 201, texts: readonly string[]): Answer {
  return { status, data: `[${texts.join(',')}]` };
}

export function listAnswer(
  context: RequestContext,
  collection: Collection,
  list: { texts: readonly string[]; page: PageInfo; documentCount: number | undefined },
): Answer {
  const record = context.principal.isTrusted
    ? { ...collectionRecord(collection, 0), documentCount: list.documentCount }
    : { id: collection.id, name: collection.name };
  return {
    ...severalAnswer(200, list.texts),
    beside: { collection: JSON.stringify(record) },
    page: list.page,
  };
}
