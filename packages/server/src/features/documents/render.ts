import type { Path } from '@plinth/protocol';
import type { Answer } from '../../platform/http/answer.ts';
import { type Collection, collectionRecord } from '../collections/index.ts';
import { documentJson, type StoredDocument, selectedJson, versionTag } from './document.ts';
import type { DocumentPage } from './list-documents.ts';

/** Turns documents into answers: the one place where their JSON is put together. */
export function oneAnswer(status: 200 | 201, document: StoredDocument, select?: readonly Path[]): Answer {
  return { status, data: render(document, select), headers: { ETag: versionTag(document.version) } };
}

export function severalAnswer(status: 200 | 201, documents: readonly StoredDocument[]): Answer {
  return { status, data: renderList(documents) };
}

export function listAnswer(
  { documents, page, documentCount }: DocumentPage,
  collection: Collection,
  select?: readonly Path[],
): Answer {
  const record = JSON.stringify({ ...collectionRecord(collection, 0), documentCount });
  return { status: 200, data: renderList(documents, select), beside: { collection: record }, page };
}

function renderList(documents: readonly StoredDocument[], select?: readonly Path[]): string {
  return `[${documents.map((document) => render(document, select)).join(',')}]`;
}

function render(document: StoredDocument, select?: readonly Path[]): string {
  return select ? selectedJson(document, select) : documentJson(document);
}
