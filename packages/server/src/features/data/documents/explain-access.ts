import type { RequestContext, SignedInUser } from '../../../calls/index.ts';
import { isId, newId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { readQuery } from '../query/index.ts';
import { applyPatch, type Fields, parseFields, plainFields } from '../records/index.ts';
import {
  type Action,
  type CheckedDocument,
  explainRule,
  fieldsIn,
  type RuledField,
  refuseProtected,
  ruledFields,
  touchedBy,
  withOwner,
} from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { StoredDocument } from './document.ts';
import { documentNotFound, notExplained } from './errors.ts';
import { findDocument } from './store.ts';

export interface ExplainRequest {
  readonly as: string | MadeUpUser | null;
  readonly action: Action;
  readonly id?: string;
  readonly document?: Fields;
  /** What an update would change of `document`, where that is no stored one. */
  readonly changes?: Fields;
  readonly query?: string;
}

/** An app user that could be; what is left out is as after a sign-up. */
interface MadeUpUser {
  readonly id?: string;
  readonly role?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly data?: Fields;
  readonly claims?: Fields;
}

/** Says what the rules would answer to a user, and which condition decides with which values. */
export async function explainAccess(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  request: ExplainRequest,
) {
  if (request.query !== undefined && request.action !== 'read') throw notExplained('query', request.action);
  if (request.id !== undefined && request.action === 'create') throw notExplained('id', 'create');
  if (request.changes && (request.action !== 'update' || request.id !== undefined || !request.document))
    throw notExplained('changes', request.id === undefined ? request.action : 'call with id');
  const user = await callerOf(deps, context, request.as);
  const asked: RequestContext = { ...context, principal: { isTrusted: false, ...(user && { user }) } };
  if (request.query !== undefined) {
    // Reading it as that user shows whether it touches what the user may not read.
    await readQuery(request.query, await deps.scopes.documents(asked, collection));
  }
  const documents = await documentsOf(asked, collection, request);
  const verdicts = [];
  for (const step of stepsOf(collection, request.action, documents)) {
    const isStored = request.id !== undefined && step.document === documents[0];
    verdicts.push(await explainRule(deps.scopes, asked, collection, { ...step, isStored }));
  }
  const deciding = verdicts.find(({ allowed }) => !allowed) ?? verdicts.at(-1)!;
  return { allowed: deciding.allowed, reason: `${placeOf(deciding)}: ${deciding.reason}`, verdicts };
}

async function callerOf(
  deps: DocumentDeps,
  context: RequestContext,
  as: ExplainRequest['as'],
): Promise<SignedInUser | undefined> {
  if (as === null) return undefined;
  if (typeof as === 'string') return deps.getUser(context, as);
  const { data = {}, claims = {}, ...given } = as;
  return {
    id: newId(0),
    role: 'user',
    email: 'somebody@example.com',
    email_verified: false,
    ...given,
    sessionId: '',
    profile: async () => ({ data, claims }),
  };
}

/** The rule as settings name it. */
function placeOf({ action, field }: { action: Action; field?: string }): string {
  return field === undefined ? `rules.${action}` : `fieldRules.${field}.${action}`;
}

interface Step {
  readonly action: Action;
  readonly field?: RuledField;
  readonly document: CheckedDocument | undefined;
}

/** What is asked, in order: as a write would ask it. */
function stepsOf({ settings }: Collection, action: Action, documents: readonly CheckedDocument[]): Step[] {
  const [before, after] = documents;
  const last = documents.at(-1);
  if (action === 'read' || (action === 'create' && !last)) return [{ action, document: last }];
  if (action === 'create' && last) {
    const fields = fieldsIn(ruledFields(settings), last.data);
    return [{ action, document: last }, ...fields.map((field) => ({ action, field, document: last }))];
  }
  const whole = documents.map((document) => ({ action, document }));
  const read = { action: 'read' as const, document: before };
  if (action === 'delete' || !before || !after) return [read, ...whole];
  const touched = touchedBy(ruledFields(settings), { before: before.data, after: after.data });
  const ofFields = touched.fields.flatMap((field) =>
    documents.map((document) => ({ action, field, document })),
  );
  return [read, ...ofFields, ...(touched.isRestTouched || ofFields.length === 0 ? whole : [])];
}

/** The document as it is and, where changes are given, as it would become. */
async function documentsOf(
  { db, principal }: RequestContext,
  collection: Collection,
  { action, id, document, changes }: ExplainRequest,
): Promise<CheckedDocument[]> {
  if (id === undefined) {
    if (!document) return [];
    if (action === 'create') refuseProtected(principal, collection, document);
    const fields = plainFields(document);
    const data = action === 'create' ? withOwner(principal, collection, fields) : fields;
    const before = { id: newId(collection.number), updatedAt: Date.now(), data };
    if (!changes) return [before];
    refuseProtected(principal, collection, changes);
    return [before, { ...before, data: applyPatch(data, changes) }];
  }
  const stored = isId(id) ? await findDocument(db, collection, id) : undefined;
  if (!stored) throw documentNotFound(id);
  const before = checked(stored);
  return document ? [before, { ...before, data: applyPatch(before.data, document) }] : [before];
}

function checked({ id, updatedAt, data }: StoredDocument): CheckedDocument & { data: Fields } {
  return { id, updatedAt, data: parseFields(data) };
}
