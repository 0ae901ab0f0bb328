/** Scopes: what further API keys of a project may do. */
export { isInScope, requireScope } from './require-scope.ts';
export { needsOf, needsOfCall, type RouteScope } from './route-scope.ts';
export { formatScope, knownScopes, type Need, parseScope } from './scope.ts';
