/** What the documents of a collection look like: their fields, found by looking at some of them; which of them do not match the schema. */
export { describeFields } from './describe-fields.ts';
export { addShapeRoutes } from './routes.ts';
