import type { Path } from '@plinth/protocol';
import { type Answer, isInScope, type PageInfo, type RequestContext } from '../../../calls/index.ts';
import { andThen, type NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { mapWithRests } from '../../../platform/concurrency/yielder.ts';
import { onlyPaths, PathTree, withoutPaths } from '../../../platform/json-text.ts';
import { type Collection, collectionRecord } from '../collections/index.ts';
import { populate } from '../links/index.ts';
import { parseFields } from '../records/index.ts';
import { hiddenPaths } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import { documentJson, type StoredDocument, versionTag } from './document.ts';
import type { Projection } from './projection.ts';

/**
 * Turns documents into what this caller may see of them, as JSON text: the one projection, for every answer that
 * carries documents. PostgreSQL's text is parsed only where links are followed.
 */
export function present(
  deps: Pick<DocumentDeps, 'loadLinked'>,
  context: RequestContext,
  collection: Collection,
  documents: readonly StoredDocument[],
  projection: Projection = {},
): NowOrLater<string[]> {
  const hidden = hiddenPaths(context.principal, collection.settings);
  const isWhole = hidden.length === 0 && !projection.populate?.length && !projection.select;
  return isWhole
    ? documents.map(documentJson)
    : presentParts(deps, context, documents, { hidden, projection });
}

async function presentParts(
  { loadLinked }: Pick<DocumentDeps, 'loadLinked'>,
  context: RequestContext,
  documents: readonly StoredDocument[],
  { hidden, projection }: { hidden: readonly Path[]; projection: Projection },
): Promise<string[]> {
  const populated = projection.populate ?? [];
  const hiding = new PathTree(hidden);
  const visible = (document: StoredDocument) => withoutPaths(documentJson(document), hiding);
  const kept =
    projection.select &&
    new PathTree([['id'], ...projection.select, ...populated.map((path) => path.slice(0, 1))]);
  const chosen = (text: string) => (kept ? onlyPaths(text, kept) : text);
  const asker = context.project.id;
  const each = <Item, Result>(items: readonly Item[], act: (item: Item) => Result) =>
    isLong(documents) ? mapWithRests(asker, items, act) : items.map(act);
  if (populated.length === 0) return each(documents, (document) => chosen(visible(document)));
  const records = await each(documents, (document) => parseFields(visible(document)));
  const write = await populate(records, { paths: populated, load: loadLinked(context), asker });
  // A link may be followed under another name than that of its field, so that fields are chosen only now.
  return mapWithRests(asker, records, (record) => chosen(write(record)));
}

/** Longer texts are looked at in turns. */
const shortLength = 65_536;

function isLong(documents: readonly StoredDocument[]): boolean {
  return documents.reduce((sum, { data }) => sum + data.length, 0) > shortLength;
}

/** One document as this caller may see it, with its version. */
export function oneAnswer(
  deps: Pick<DocumentDeps, 'loadLinked'>,
  context: RequestContext,
  collection: Collection,
  { status, document, projection }: { status: 200 | 201; document: StoredDocument; projection?: Projection },
): NowOrLater<Answer> {
  return andThen(present(deps, context, collection, [document], projection), ([data = '']) => ({
    status,
    data,
    headers: { ETag: versionTag(document.version) },
  }));
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
    /** How many documents the collection has. */
    all: number | undefined;
    warnings: readonly string[];
  },
): Answer {
  const { principal } = context;
  const isDefinitionOpen =
    principal.isTrusted && isInScope(principal, { area: 'collections', action: 'read' });
  const record = isDefinitionOpen
    ? { ...collectionRecord(collection, 0), documentCount: list.all }
    : { id: collection.id, name: collection.name, number: collection.number };
  return {
    ...severalAnswer(200, list.texts),
    beside: {
      collection: JSON.stringify(record),
      ...(list.warnings.length > 0 && { warnings: JSON.stringify(list.warnings) }),
    },
    page: list.page,
  };
}
