/** A project's configuration as one document: read, planned and pushed as a whole. */
export { readGiven } from './read-given.ts';
export { addConfigurationRoutes } from './routes.ts';
export { collectionBody, type GivenBody, projectBody } from './schemas.ts';
