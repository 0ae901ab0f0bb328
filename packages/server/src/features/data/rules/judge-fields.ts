import type { RequestContext } from '../../../calls/index.ts';
import type { Collection } from '../collections/index.ts';
import { type Fields, hasPath, partAt, valueAtPath, withPath } from '../records/index.ts';
import { isClosedTo } from './check-rules.ts';
import { fieldDenied, signInRequired } from './errors.ts';
import { fieldRule, fieldsIn, type RuledField, ruledFields, touchedBy } from './field-rules.ts';
import { judgeFor } from './judge.ts';
import type { ReadingScopes } from './reading-scopes.ts';
import type { CheckedDocument } from './store.ts';

/** Refuses a new document that has a field which its caller may not set. */
export async function requireFieldsToCreate(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  document: CheckedDocument,
): Promise<void> {
  if (context.principal.isTrusted) return;
  const fields = fieldsIn(ruledFields(collection.settings), document.data);
  for (const field of fields) {
    await requireField(scopes, context, collection, { field, action: 'create', documents: [document] });
  }
}

/**
 * Refuses a change of a field that its caller may not change. Says whether the rule of the document is to be asked as
 * well: it decides about everything that has no rule of its own, and about a change of nothing.
 */
export async function requireFieldsToChange(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  { before, after }: { before: CheckedDocument; after: CheckedDocument },
): Promise<{ isRestTouched: boolean }> {
  const ruled = context.principal.isTrusted ? [] : ruledFields(collection.settings);
  if (ruled.length === 0) return { isRestTouched: true };
  const { fields, isRestTouched } = touchedBy(ruled, { before: before.data, after: after.data });
  for (const field of fields) {
    await requireField(scopes, context, collection, { field, action: 'update', documents: [before, after] });
  }
  return { isRestTouched: isRestTouched || fields.length === 0 };
}

interface FieldQuestion {
  readonly field: RuledField;
  readonly action: 'create' | 'update';
  readonly documents: readonly CheckedDocument[];
}

async function requireField(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  question: FieldQuestion,
): Promise<void> {
  const rule = fieldRule(collection, question.field, question.action);
  if (!context.principal.user && isClosedTo(context.principal, rule.text)) throw signInRequired();
  if (!(await isFieldOpen(scopes, context, collection, question)))
    throw fieldDenied(question.field.field, question.action);
}

async function isFieldOpen(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  { field, action, documents }: FieldQuestion,
): Promise<boolean> {
  const judge = await judgeFor(scopes, context, collection, fieldRule(collection, field, action));
  for (const document of documents) if (!(await judge(context, document))) return false;
  return true;
}

/** A PUT that leaves out a field keeps it where its caller may not change it. */
export async function keepFieldsLeftOut(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  { before, after }: { before: CheckedDocument; after: Fields },
): Promise<Fields> {
  if (context.principal.isTrusted) return after;
  let kept = after;
  for (const field of ruledFields(collection.settings)) {
    const { path } = field;
    const isLeftOut = hasPath(before.data, path) && partAt(after, path) === undefined;
    if (!isLeftOut) continue;
    const question = { field, action: 'update', documents: [before] } as const;
    if (!(await isFieldOpen(scopes, context, collection, question)))
      kept = withPath(kept, path, valueAtPath(before.data, path));
  }
  return kept;
}
