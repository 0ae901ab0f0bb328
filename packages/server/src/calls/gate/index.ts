/** Letting calls in: which project, who, from where, how often. */

export { checkFormOrigin, type OwnOrigins } from './check-form-origin.ts';
export type { KeyUse } from './check-key.ts';
export { isOriginAllowed, type OriginPolicy } from './check-origin.ts';
export {
  apiKeyRequired,
  credentialRequired,
  invalidCredentials,
  originNotAllowed,
  projectUnknown,
} from './errors.ts';
export { makeFunctionToken } from './function-token.ts';
export { addGate } from './gate.ts';
export type { GatewayCall } from './gateway.ts';
export { type Caller, readCredentials } from './identify-caller.ts';
export { identifySender } from './identify-sender.ts';
export { countCall, refusePast } from './limit-rate.ts';
export { projectAddresses, refInAddress } from './project-address.ts';
