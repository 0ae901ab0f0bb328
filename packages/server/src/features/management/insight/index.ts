/** What goes on in a project: its calls, its usage, and what to look at. */
export type { InsightDeps } from './read-insight.ts';
export { addInsightRoutes } from './routes.ts';
