/** Schedules: functions that run at set times. */
export { ScheduleTimes } from './next-times.ts';
export { addScheduleRoutes } from './routes.ts';
export { DueRuns } from './run-due.ts';
export { saveSchedules } from './save-schedules.ts';
