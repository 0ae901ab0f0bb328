/** App users, the people who use a project's app: sign-up, the user's own record, and what the project's server may do. */
export type { AppUserDeps } from './deps.ts';
export { addAppUserRoutes } from './routes.ts';
