/** What every call is made of: who calls which project, routes, answers. Features know this, and it knows none of them. */

export { type Answer, created, ok, type PageInfo } from './answer.ts';
export { ByteBudget, budgets } from './budget.ts';
export type { RequestContext } from './context.ts';
export { invalidQuery } from './errors.ts';
export type { PageRoute, PageVisit } from './pages.ts';
export { readPage, refuseOthers, wordedAsQueryErrors } from './parameters.ts';
export type { Authenticator, Principal, SignedInUser } from './principal.ts';
export { type Project, type ProjectDirectory, rateLimitOf } from './project.ts';
export { projectRoutes } from './project-routes.ts';
export { contextFor } from './request-context.ts';
export {
  type FilledForm,
  type IncomingForm,
  type ProjectRoutes,
  type RouteInput,
  routeGroup,
} from './routes.ts';
export { isTier, tiers } from './tiers.ts';
