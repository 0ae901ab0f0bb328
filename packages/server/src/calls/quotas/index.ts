/** Quotas: how much a project may use of what its cell has to give. */
export { isQuotaExceeded } from './errors.ts';
export { type QuotaSources, quotas } from './quota.ts';
export { Quotas } from './quotas.ts';
