/** Usage: what a project has used of its quotas, and hour by hour. */
export type { Holdings } from './day-store.ts';
export { noteDays, readUsageDays } from './note-days.ts';
export { readUsageHours, type UsageStep } from './read-usage-hours.ts';
export { addUsageRoutes } from './routes.ts';
export { UsageMeter } from './usage-meter.ts';
export { foldHours } from './usage-store.ts';
