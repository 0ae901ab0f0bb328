/** Letting calls in: which project, who, from where, how often, and at most once. */
export { isOriginAllowed } from './check-origin.ts';
export { invalidCredentials, originNotAllowed, projectUnknown } from './errors.ts';
export { addGate } from './gate.ts';
export { type Caller, identifyCaller, readCredentials } from './identify-caller.ts';
export { countCall, refusePast } from './limit-rate.ts';
export { projectAddresses, refInAddress } from './project-address.ts';
export { projectRoutes } from './project-routes.ts';
export { contextFor } from './request-context.ts';
