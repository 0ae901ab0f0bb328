/** The flows around a sign-in, put together: their routes, their jobs, and what app users set off. */
export type { SignInFlowDeps, UserFlowDeps } from './deps.ts';
export { addSignInFlowRoutes } from './routes.ts';
export { signInFlowTasks } from './tasks.ts';
export { userFlows } from './user-flows.ts';
