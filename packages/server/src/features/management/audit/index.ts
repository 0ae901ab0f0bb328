/** The audit log: who changed what, when, from where. */
export { auditLog, noteCall } from './audit-log.ts';
export { addAuditRoutes } from './routes.ts';
