import { Type } from 'typebox';
import { created, ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import type { Deliveries } from '../../deliveries/index.ts';
import { changeSchedule, readSchedules, runSchedule } from './manage-schedules.ts';
import type { ScheduleTimes } from './next-times.ts';

const onSchedules = routeGroup({
  url: '/schedules',
  access: 'server',
  scope: 'deployments',
  tag: 'Functions',
});

const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description,
    examples: ['2026-01-05T08:00:00.000Z'],
  });

const scheduleSchema = Type.Object({
  name: Type.String({ description: 'The name of its function.', examples: ['digest'] }),
  cron: Type.String({ description: 'When it runs, as a cron expression.', examples: ['0 9 * * 1-5'] }),
  timeZone: Type.String({ description: 'The time zone of `cron`.', examples: ['Europe/Berlin'] }),
  missed: Type.String({ description: 'What happens to missed runs: once, skip or all.' }),
  overlap: Type.String({
    description: 'What happens if the previous run has not finished: skip, queue or allow.',
  }),
  isPaused: Type.Boolean({ description: 'Whether it is paused: it then does not run until it is resumed.' }),
  nextAt: time('When it runs next; null: never.'),
  upcoming: Type.Array(Type.String({ format: 'date-time' }), {
    description: 'The next five run times; empty while it is paused.',
    examples: [['2026-01-05T08:00:00.000Z', '2026-01-06T08:00:00.000Z']],
  }),
  lastAt: time('When it was last due.'),
});

interface ScheduleDeps {
  readonly times: ScheduleTimes;
  readonly deliveries: Pick<Deliveries, 'add'>;
}

const scheduleParams = Type.Object({
  name: Type.String({ description: 'The name of its function.', examples: ['digest'] }),
});

export function addScheduleRoutes(routes: ProjectRoutes, { times, deliveries }: ScheduleDeps): void {
  routes.add(
    onSchedules('', {
      method: 'GET',
      operationId: 'listSchedules',
      summary: 'List the schedules of the project',
      description:
        'Functions that run at set times, each with its next five run times. Their past runs are in `/function-runs`.',
      answers: { status: 200, data: Type.Array(scheduleSchema) },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await readSchedules(times, context));
    },
  );
  routes.add(
    onSchedules('/:name', {
      method: 'PATCH',
      operationId: 'changeSchedule',
      summary: 'Pause or resume a schedule',
      description: 'A paused schedule does not run. Runs that were due in the meantime are not made up for.',
      params: scheduleParams,
      body: Type.Object(
        { isPaused: Type.Boolean({ description: 'True: it does not run until this is set to false.' }) },
        { additionalProperties: false },
      ),
      answers: { status: 200, data: scheduleSchema },
      failures: [400, 404],
    }),
    async (context, { params, body }) => ok(await changeSchedule(times, context, params.name, body.isPaused)),
  );
  routes.add(
    onSchedules('/:name/run', {
      method: 'POST',
      operationId: 'runSchedule',
      summary: 'Run a schedule now',
      description:
        'Starts one additional run, even if the schedule is paused. Its result is in `/function-runs`.',
      params: scheduleParams,
      answers: {
        status: 201,
        data: Type.Object({
          id: Type.String({ description: 'The id of the event, the same in each attempt: `event.id`.' }),
        }),
      },
      failures: [404],
    }),
    async (context, { params }) => created(await runSchedule(deliveries, context, params.name)),
  );
}
