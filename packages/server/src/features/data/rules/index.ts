/** Rules: who may do what with which documents. */
export {
  type Action,
  denied,
  isClosed,
  matched,
  passes,
  requireOpen,
} from './check-rules.ts';
export { checkSettings } from './check-settings.ts';
export { DocumentSchemas } from './document-schema.ts';
export { signInRequired } from './errors.ts';
export { explainRule } from './explain.ts';
export { keepProtected, refuseProtected, withOwner } from './guard-fields.ts';
export { hiddenPaths, isHidden, removeHidden } from './hidden-fields.ts';
export { type Judge, judgeFor } from './judge.ts';
export { ReadingScopes, type UserScope } from './reading-scopes.ts';
export type { CheckedDocument } from './store.ts';
