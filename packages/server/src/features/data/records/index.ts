/** What every record has in common, document or app user: its fields, the grammar of changes, paths through JSON. */
export { applyPatch, dottedNames } from './apply-patch.ts';
export {
  fieldsJson,
  isOwnedField,
  type OwnedField,
  ownedFields,
  parseFields,
  plainFields,
} from './fields.ts';
export {
  arrayAround,
  type Fields,
  hasPath,
  hasPathAnywhere,
  isBlocked,
  isObject,
  partAt,
  removePath,
  valueAtPath,
  withoutPath,
  withPath,
} from './paths.ts';
