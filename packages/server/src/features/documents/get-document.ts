import { isId } from '../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import type { StoredDocument } from './document.ts';
import { documentNotFound } from './errors.ts';
import { findDocument } from './store.ts';

export async function getDocument(
  { db }: RequestContext,
  { number }: Collection,
  id: string,
): Promise<StoredDocument> {
  const document = isId(id) ? await findDocument(db, number, id) : undefined;
  if (!document) throw documentNotFound(id);
  return document;
}
