/** Documents: schemaless JSON objects in a collection. */
export { purgeProject } from './purge.ts';
export { addDocumentRoutes } from './routes.ts';
export { documentSchema } from './schemas.ts';
export { Sweeper } from './sweeper.ts';
