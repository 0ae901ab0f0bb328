import type { Path } from '@plinth/protocol';
import type { Answer, Page } from '../../platform/http/answer.ts';
import { parseJsonText } from '../../platform/json.ts';
import { type Collection, collectionRecord } from '../collections/index.ts';
import { populate } from '../links/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { hiddenPaths, removeHidden } from '../rules/index.ts';
import { documentJson, type Fields, type StoredDocument, selectPaths, versionTag } from './document.ts';
import type { DocumentServices } from './services.ts';

/** What the caller asked to see of a document. */
export interface View {
  readonly select?: readonly Path[];
  readonly populate?: readonly Path[];
}

/**
 * Turns documents into what this caller may see of them, as JSON text: the one projection, for every answer that
 * carries documents. Where nothing has to be looked at, PostgreSQL's text passes through unparsed.
 */
export async function present(
  { loadLinked }: Pick<DocumentServices, 'loadLinked'>,
  context: RequestContext,
  collection: Collection,
  documents: readonly StoredDocument[],
  view: View = {},
): Promise<string[]> {
  const hidden = hiddenPaths(context.principal, collection.settings);
  const populated = view.populate ?? [];
  if (hidden.length === 0 && populated.length === 0 && !view.select) return documents.map(documentJson);
  const records = documents.map((document) => {
    const record = parseJsonText(documentJson(document)) as Fields;
    removeHidden(record, hidden);
    return record;
  });
  await populate(records, populated, loadLinked(context));
  const { select } = view;
  if (!select) return records.map((record) => JSON.stringify(record));
  const kept = [...select, ...populated.map((path) => path.slice(0, 1))];
  return records.map((record) => JSON.stringify(selectPaths(record, kept)));
}

export function oneAnswer(status: 200 | 201, document: StoredDocument, text: string): Answer {
  return { status, data: text, headers: { ETag: versionTag(document.version) } };
}

export function severalAnswer(status: 200 | 201, texts: readonly string[]): Answer {
  return { status, data: `[${texts.join(',')}]` };
}

export function listAnswer(
  context: RequestContext,
  collection: Collection,
  list: { texts: readonly string[]; page: Page; documentCount: number | undefined },
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
