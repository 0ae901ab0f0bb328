import type { RequestContext } from '../../../calls/index.ts';
import type { Deliveries } from '../../deliveries/index.ts';
import { hookDepth, mostDepth } from '../functions/index.ts';
import { scheduleNotFound } from './errors.ts';
import type { ScheduleTimes } from './next-times.ts';
import type { Schedule } from './schedule.ts';
import { eventOf } from './schedule-event.ts';
import { findSchedule, listSchedules, pauseSchedule } from './store.ts';

/** How many of the next times are told. */
const toldTimes = 5;

/** What is told of a schedule. */
function shown(times: ScheduleTimes, projectId: string, schedule: Schedule) {
  const { name, cron, zone, missed, overlap, isPaused, nextAt, lastAt } = schedule;
  const upcoming: Date[] = [];
  let next = isPaused ? null : nextAt;
  while (next && upcoming.length < toldTimes) {
    upcoming.push(next);
    next = times.after(schedule, next, projectId);
  }
  return { name, cron, timeZone: zone, missed, overlap, isPaused, nextAt, upcoming, lastAt };
}

export async function readSchedules(times: ScheduleTimes, { db, project }: RequestContext) {
  return (await listSchedules(db)).map((schedule) => shown(times, project.id, schedule));
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
  return shown(times, project.id, { ...found, isPaused, nextAt });
}

/** Lets a schedule run now, also one that is paused; its times stay as they are. */
export async function runSchedule(
  deliveries: Pick<Deliveries, 'add'>,
  { db, project, depth = 0 }: RequestContext,
  name: string,
): Promise<{ id: string }> {
  if (depth > mostDepth) throw hookDepth(mostDepth);
  const found = await findSchedule(db, name);
  if (!found) throw scheduleNotFound(name);
  const event = eventOf(found.lane, new Date(), depth);
  await db.transaction((db) => deliveries.add(db, project, [event]));
  return { id: event.id };
}
