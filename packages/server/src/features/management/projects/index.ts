/** Projects as their owners and teammates manage them. */
export { idsOfOwn, refsOf } from './project-life.ts';
export { addProjectRoutes } from './routes.ts';
export { addSettingsRoutes } from './settings-routes.ts';
