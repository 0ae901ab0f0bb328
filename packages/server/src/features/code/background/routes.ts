import { Type } from 'typebox';
import { created, type ProjectRoutes } from '../../../calls/index.ts';
import type { Deliveries } from '../../deliveries/index.ts';
import { addTask } from './add-task.ts';

/** What a task is given, as JSON. */
const taskBody = Type.Object(
  {
    function: Type.String({
      maxLength: 63,
      description: 'The name of the function to run.',
      examples: ['digest'],
    }),
    payload: Type.Optional(Type.Unknown({ description: 'The function receives it as `event.payload`.' })),
    runAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'The earliest time to run it; immediately by default.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function addTaskRoutes(routes: ProjectRoutes, deliveries: Pick<Deliveries, 'add'>): void {
  routes.add(
    {
      method: 'POST',
      url: '/tasks',
      access: 'server',
      scope: 'functions',
      tag: 'Functions',
      operationId: 'addTask',
      summary: 'Run a function in the background',
      description:
        'Queues a run of the function, now or later. It runs at least once, and is retried if it fails, up to ten times over three days. In code this is `ctx.tasks.add(name, payload)`.',
      body: taskBody,
      answers: {
        status: 201,
        data: Type.Object({
          id: Type.String({ description: 'The id of the event, the same in each attempt: `event.id`.' }),
        }),
      },
      failures: [400, 404],
    },
    async (context, { body }) => created(await addTask(deliveries, context, body)),
  );
}
