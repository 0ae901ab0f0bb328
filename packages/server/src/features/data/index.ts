/** Documents: collections of them, the query language, links, rules, indexes. */
export {
  type Change,
  type DocumentChange,
  type DocumentImage,
  type OtherChange,
  readChange,
} from './changes/index.ts';
export {
  type CheckSettings,
  type Collection,
  CollectionDirectory,
  type CollectionSettings,
  changeCollection,
  checkName,
  createCollection,
  deleteCollection,
  formatIndexField,
  listCollections,
  lockAllCollections,
  measureCollections,
  settingsBody,
} from './collections/index.ts';
export {
  findVersion,
  listAfter,
  listVersions,
  present,
  readRecordTest,
  type StoredDocument,
} from './documents/index.ts';
export { addIndex, dropIndex, type IndexDeps, newIndexBody, readAskedFields } from './indexes/index.ts';
export { holderOf, LinkCatalogue, type LoadLinked, populate } from './links/index.ts';
export {
  asksFor,
  type CheckedFilter,
  type Counting,
  type CountWish,
  compileFilter,
  conjunctsOf,
  everything,
  hasLinks,
  isAbout,
  type MatchedRecord,
  matches,
  type PageSql,
  QueryCost,
  readFilter,
  readPreferences,
  readQuery,
  runList,
  type Scalar,
  type Target,
  valueAt,
} from './query/index.ts';
export { tooManyQueries } from './query-shapes/index.ts';
export { applyPatch, dottedNames, type Fields, fieldsJson, ownedFields } from './records/index.ts';
export { matched, ReadingScopes, referencesOfRules, requireOpen, type UserScope } from './rules/index.ts';
