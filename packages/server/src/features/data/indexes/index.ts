/** Indexes: asked for by the project or made by the service itself. */
export { dropUnused } from './drop-unused.ts';
export { GrowthWatch } from './growth-watch.ts';
export { addIndexRoutes } from './routes.ts';
export { scheduleTending } from './schedule-tending.ts';
export { indexSchema } from './schemas.ts';
export {
  beginRecorded,
  countIndexes,
  insertIndex,
  listIndexes,
  removeIndex,
  saveProgress,
  updateIndex,
} from './store.ts';
