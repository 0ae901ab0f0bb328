/** Calls of accounts: who they are, what they may, what is written down of it. */
export type {
  Account,
  AccountCaller,
  AccountDirectory,
  Membership,
  Role,
} from './account.ts';
export {
  type AuditEntry,
  type AuditLog,
  accountIn,
  type ManagementAnswer,
  type ManagementContext,
  projectIn,
} from './context.ts';
export { type CookieKind, cookieIn, writeCookie } from './cookies.ts';
export { readCursorPage } from './cursor-page.ts';
export { noSuchProject } from './errors.ts';
export { managementRoutes } from './management-routes.ts';
export type { NavigationAnswer, Visit } from './navigations.ts';
export { readMoment } from './read-moment.ts';
export type { Right, Rights } from './right.ts';
export type { ManagementRoutes } from './routes.ts';
export { noSessionCookie, sessionCookie } from './session-cookie.ts';
