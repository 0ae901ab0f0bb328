/** Usage: what a project has used of its quotas. */
export { addUsageRoutes } from './routes.ts';
