/** Letting calls in: which project, who, from where, how often. */
export { isOriginAllowed, type OriginPolicy } from './check-origin.ts';
export { invalidCredentials, originNotAllowed, projectUnknown } from './errors.ts';
export { addGate } from './gate.ts';
export { type Caller, identifyCaller, readCredentials } from './identify-caller.ts';
export { countCall, refusePast } from './limit-rate.ts';
export { projectAddresses, refInAddress } from './project-address.ts';
