/** Query shapes: which queries run, how long they take, and which indexes would help them. */
export { isAutoIndexed, listAdvice } from './advice.ts';
export { enoughCalls, medianOf, quickMs } from './durations.ts';
export { tooManyQueries } from './errors.ts';
export { adviceSchema } from './schemas.ts';
export { shapeOf } from './shape.ts';
export { ShapeLog } from './shape-log.ts';
export { forgetDurations, listShapes, type StoredShape } from './shape-store.ts';
export { suggest, type Wanted } from './suggest.ts';
export { tooSlow } from './too-slow.ts';
