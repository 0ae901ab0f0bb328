/** What the documents of a collection look like: their fields, found by looking at some of them. */
export { describeFields } from './describe-fields.ts';
export { addShapeRoutes } from './routes.ts';
