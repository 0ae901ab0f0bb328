/** Rules: who may do what with which documents. */
export {
  type Action,
  denied,
  isClosed,
  matched,
  passes,
  refused,
  requireOpen,
  ruleOf,
} from './check-rules.ts';
export { checkSettings, referencesOfRules } from './check-settings.ts';
export { DocumentSchemas } from './document-schema.ts';
export { signInRequired } from './errors.ts';
export { explainRule } from './explain.ts';
export { fieldsIn, type RuledField, ruledFields, touchedBy } from './field-rules.ts';
export { keepProtected, refuseProtected, withOwner } from './guard-fields.ts';
export { hiddenPaths, isHidden } from './hidden-fields.ts';
export { type Judge, judgeFor } from './judge.ts';
export { keepFieldsLeftOut, requireFieldsToChange, requireFieldsToCreate } from './judge-fields.ts';
export { ReadingScopes, type UserScope } from './reading-scopes.ts';
export type { CheckedDocument } from './store.ts';
