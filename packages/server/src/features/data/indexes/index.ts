/** Indexes: asked for by the project or made by the service itself. */
export { addIndex, type IndexDeps, readAskedFields } from './create-index.ts';
export { dropIndex } from './drop-index.ts';
export { dropUnused } from './drop-unused.ts';
export { GrowthWatch } from './growth-watch.ts';
export { addIndexRoutes } from './routes.ts';
export { scheduleTending } from './schedule-tending.ts';
export { indexSchema, newIndexBody } from './schemas.ts';
export {
  beginRecorded,
  countIndexes,
  insertIndex,
  listIndexes,
  removeIndex,
  saveProgress,
  updateIndex,
} from './store.ts';
