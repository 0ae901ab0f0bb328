import { Type } from 'typebox';
import { created, type ProjectRoutes } from '../../../calls/index.ts';
import type { Deliveries } from '../../deliveries/index.ts';
import { addTask } from './add-task.ts';

/** What a task is given, as JSON. */
const taskBody = Type.Object(
  {
    function: Type.String({
      maxLength: 63,
      description: 'The name of the function that runs.',
      examples: ['digest'],
    }),
    payload: Type.Optional(Type.Unknown({ description: 'What it finds in `event.payload`.' })),
    runAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Not before that; at once unless it is given.' }),
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
      summary: 'Let a function run in the background',
      description:
        'Writes down that the function is to run, now or later. It runs at least once, and again if it fails, up to ten times over three days. In code this is `ctx.tasks.add(name, payload)`.',
      body: taskBody,
      answers: {
        status: 201,
        data: Type.Object({ id: Type.String({ description: 'The same in each attempt: `event.id`.' }) }),
      },
      failures: [400, 404],
    },
    async (context, { body }) => created(await addTask(deliveries, context, body)),
  );
}
