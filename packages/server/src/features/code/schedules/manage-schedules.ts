import type { RequestContext } from '../../../calls/index.ts';
import { scheduleNotFound } from './errors.ts';
import type { ScheduleTimes } from './next-times.ts';
import type { Schedule } from './schedule.ts';
import { findSchedule, listSchedules, pauseSchedule } from './store.ts';

/** What is told of a schedule. */
const shown = ({ name, cron, zone, missed, overlap, isPaused, nextAt, lastAt }: Schedule) => ({
  name,
  cron,
  timeZone: zone,
  missed,
  overlap,
  isPaused,
  nextAt,
  lastAt,
});

export async function readSchedules({ db }: RequestContext) {
  return (await listSchedules(db)).map(shown);
}

/** Pauses a schedule, or lets it go on from now: what was due meanwhile does not run. */
export async function changeSchedule(
  times: ScheduleTimes,
  { db, project }: RequestContext,
  name: string,
  isPaused: boolean,
) {
  const found = await findSchedule(db, name);
  if (!found) throw scheduleNotFound(name);
  const nextAt = isPaused ? found.nextAt : times.after(found, new Date(), project.id);
  await pauseSchedule(db, name, { isPaused, nextAt });
  return shown({ ...found, isPaused, nextAt });
}
