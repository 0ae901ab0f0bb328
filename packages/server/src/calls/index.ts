/** What every call is made of: who calls which project, routes, answers. Features know this, and it knows none of them. */

export { type Answer, created, ok, type PageInfo, withWarnings } from './answer.ts';
export { ByteBudget, budgets } from './budget.ts';
export { CallWatch } from './call-watch.ts';
export type { RequestContext } from './context.ts';
export { projectHeaders } from './describe-route.ts';
export { invalidQuery } from './errors.ts';
export type { EventKind, EventLog, EventName, EventRecorder, Events, Happened } from './events.ts';
export { type FinishedCall, noteProject, onFinishedCalls } from './finished-calls.ts';
export {
  type ClaimedKey,
  claimingKeys,
  keyColumns,
  keyValues,
  sumKeptAnswers,
} from './idempotency/store.ts';
export { requireNoClaim, withKey } from './idempotency/with-key.ts';
export type { PageRoute, PageVisit } from './pages.ts';
export { readPage, refuseOthers, wordedAsQueryErrors } from './parameters.ts';
export {
  type Authenticator,
  type Principal,
  type SignedInUser,
  serverNameOf,
  type UserProfile,
} from './principal.ts';
export {
  type KeyHolder,
  limitsOf,
  type Project,
  type ProjectDirectory,
  type ProjectRecord,
} from './project.ts';
export { projectRoutes, wantsBare } from './project-routes.ts';
export { isQuotaExceeded, type QuotaSources, Quotas, quotas } from './quotas/index.ts';
export { contextFor } from './request-context.ts';
export {
  type FilledForm,
  type IncomingForm,
  type ProjectRoutes,
  type QueryParameter,
  type RouteInput,
  routeGroup,
} from './routes.ts';
export type { ScopedKey } from './scoped-key.ts';
export {
  formatScope,
  isInScope,
  knownScopes,
  type Need,
  needsOf,
  parseScope,
  requireScope,
} from './scopes/index.ts';
export { defaultTiers, isTier, readTiers, type TierLimits, type Tiers, tierFigures } from './tiers.ts';
export { withNews } from './with-news.ts';
export {
  AskAgain,
  type CallGuards,
  type GuardedEvent,
  type WriteGuard,
  type WriteGuards,
} from './write-guards.ts';
