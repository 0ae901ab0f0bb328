import type { Answer, PageInfo, RequestContext } from '../../../calls/index.ts';
import { mapWithRests } from '../../../platform/concurrency/yielder.ts';
import { type Collection, collectionRecord } from '../collections/index.ts';
import { populate } from '../links/index.ts';
import { type Fields, parseFields } from '../records/index.ts';
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
  const { select } = projection;
  const kept = select && [...select, ...populated.map((path) => path.slice(0, 1))];
  const asker = context.project.id;
  const read = (document: StoredDocument) => {
    const record = parseFields(documentJson(document));
    removeHidden(record, hidden);
    return record;
  };
  // Read, they take many times the room of their text: unless links of all are followed at once, there is one at a time.
  const chosen = (record: Fields) => (kept ? selectPaths(record, kept) : record);
  if (populated.length === 0)
    return mapWithRests(asker, documents, (document) => JSON.stringify(chosen(read(document))));
  const records = await mapWithRests(asker, documents, read);
  const write = await populate(records, { paths: populated, load: loadLinked(context), asker });
  return mapWithRests(asker, records, (record) => write(chosen(record)));
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
  list: {
    texts: readonly string[];
    page: PageInfo;
    documentCount: number | undefined;
    warnings: readonly string[];
  },
): Answer {
  const record = context.principal.isTrusted
    ? { ...collectionRecord(collection, 0), documentCount: list.documentCount }
    : { id: collection.id, name: collection.name };
  return {
    ...severalAnswer(200, list.texts),
    beside: {
      collection: JSON.stringify(record),
      ...(list.warnings.length > 0 && { warnings: JSON.stringify(list.warnings) }),
    },
    page: list.page,
  };
}
