import type { RequestContext } from '../../../calls/index.ts';
import { isId, newId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { readQuery } from '../query/index.ts';
import { applyPatch, type Fields, parseFields, plainFields } from '../records/index.ts';
import { type Action, type CheckedDocument, explainRule, withOwner } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { StoredDocument } from './document.ts';
import { documentNotFound } from './errors.ts';
import { findDocument } from './store.ts';

export interface ExplainRequest {
  readonly as: string | null;
  readonly action: Action;
  readonly id?: string;
  readonly document?: Fields;
  readonly query?: string;
}

/** Says what the rules would answer to a user, and which condition decides with which values. */
export async function explainAccess(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  request: ExplainRequest,
) {
  const user = request.as === null ? undefined : await deps.getUser(context, request.as);
  const asked: RequestContext = { ...context, principal: { isTrusted: false, ...(user && { user }) } };
  if (request.query !== undefined) {
    // Reading it as that user shows whether it touches what the user may not read.
    await readQuery(request.query, await deps.scopes.documents(asked, collection));
  }
  const documents = await documentsOf(asked, collection, request);
  const steps: [Action, CheckedDocument | undefined][] =
    request.action === 'update' || request.action === 'delete'
      ? [
          ['read', documents[0]],
          ...documents.map((document) => [request.action, document] as [Action, CheckedDocument]),
        ]
      : [[request.action, documents.at(-1)]];
  const verdicts = [];
  for (const [action, document] of steps) {
    const isStored = request.id !== undefined && document === documents[0];
    verdicts.push(await explainRule(deps.scopes, asked, collection, { action, document, isStored }));
  }
  const deciding = verdicts.find(({ allowed }) => !allowed) ?? verdicts.at(-1)!;
  return { allowed: deciding.allowed, reason: `rules.${deciding.action}: ${deciding.reason}`, verdicts };
}

/** The document as it is and, where changes are given, as it would become. */
async function documentsOf(
  { db, principal }: RequestContext,
  collection: Collection,
  { action, id, document }: ExplainRequest,
): Promise<CheckedDocument[]> {
  if (id === undefined) {
    if (!document) return [];
    const fields = plainFields(document);
    const data = action === 'create' ? withOwner(principal, collection, fields) : fields;
    return [{ id: newId(collection.number), updatedAt: Date.now(), data }];
  }
  const stored = isId(id) ? await findDocument(db, collection, id) : undefined;
  if (!stored) throw documentNotFound(id);
  const before = checked(stored);
  return document ? [before, { ...before, data: applyPatch(before.data, document) }] : [before];
}

function checked({ id, updatedAt, data }: StoredDocument): CheckedDocument & { data: Fields } {
  return { id, updatedAt, data: parseFields(data) };
}
