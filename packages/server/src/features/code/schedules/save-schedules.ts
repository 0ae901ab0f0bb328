import type { Project } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { findSubscriber } from '../../deliveries/index.ts';
import { functionKind } from '../background/index.ts';
import type { FunctionRecord } from '../functions/index.ts';
import type { ScheduleTimes } from './next-times.ts';
import { removeOtherSchedules, saveSchedule } from './store.ts';

/** Makes the schedules of a project those of a deployment, in the transaction of the switch. */
export async function saveSchedules(
  times: ScheduleTimes,
  db: ProjectDb,
  project: Project,
  functions: readonly FunctionRecord[],
): Promise<void> {
  const wanted = functions.filter(({ kind }) => kind === 'schedule');
  await removeOtherSchedules(
    db,
    wanted.map(({ name }) => name),
  );
  for (const { name, cron = '', options } of wanted) {
    const subscriber = await findSubscriber(db, functionKind, name);
    if (!subscriber) throw new Error('A schedule has no lane.');
    const zone = options.timeZone ?? 'UTC';
    await saveSchedule(db, {
      name,
      lane: subscriber.lane,
      cron,
      zone,
      missed: options.missed ?? 'once',
      overlap: options.overlap ?? 'skip',
      nextAt: times.after({ cron, zone }, new Date(), project.id),
    });
  }
}
