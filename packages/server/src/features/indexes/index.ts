/** Indexes: asked for or made by the service itself, and the tables of their own that collections get for them. */
export { dropUnused } from './drop-unused.ts';
export { tooManyQueries } from './errors.ts';
export { haveTended } from './have-tended.ts';
export { indexTasks } from './jobs.ts';
export { noteGrowth } from './note-growth.ts';
export { addIndexRoutes } from './routes.ts';
export { indexSchema } from './schemas.ts';
export { shapeOf } from './shape.ts';
export { ShapeLog } from './shape-log.ts';
export { forgetOldShapes } from './shape-store.ts';
export { tooSlow } from './too-slow.ts';
export { claimUnique, hasUnique, reclaimUnique, releaseUnique } from './unique-values.ts';
