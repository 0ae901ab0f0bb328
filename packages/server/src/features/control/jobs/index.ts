/** The background work of a project, as its own people see it. */
export { addJobRoutes } from './routes.ts';
