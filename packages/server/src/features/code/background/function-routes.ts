import { Type } from 'typebox';
import { ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import {
  countsSchema,
  deliveriesSchema,
  deliveryId,
  deliverySchema,
  healthSchema,
  listParameters,
  readDeliveries,
  replayBody,
  replayDeliveries,
  replaySchema,
} from '../../deliveries/index.ts';
import {
  type BackgroundDeps,
  changeBackground,
  getBackground,
  listBackground,
  readEvent,
  requireFunction,
} from './manage-functions.ts';

const onFunctions = routeGroup({
  url: '/background-functions',
  access: 'server',
  scope: 'deployments',
  tag: 'Functions',
});

const orNull = (schema: Parameters<typeof Type.Union>[0][number], description: string) =>
  Type.Union([schema, Type.Null()], { description, examples: [null] });

const name = Type.String({ description: 'The name of the function.', examples: ['order-created'] });
const functionParams = Type.Object({ name });
const deliveryParams = Type.Object({ name, delivery: deliveryId });
const statuses = ['waiting', 'dead'] as const;

const functionSchema = Type.Object({
  name,
  kind: orNull(Type.String(), '`hook`, `task` or `schedule`; null: it is not in the current deployment.'),
  events: Type.Array(Type.String(), {
    description: 'The events that a hook runs after; empty for tasks and schedules.',
    examples: [['orders.create']],
  }),
  ordered: Type.Boolean({ description: 'Whether it processes one event at a time, in order.' }),
  enabled: Type.Boolean({ description: 'Whether it is enabled.' }),
  disabledAt: orNull(Type.String({ format: 'date-time' }), 'When it was disabled.'),
  disabledReason: orNull(
    Type.String(),
    '`paused` by the team, `gone` (no longer deployed), `failing` for five days, or `too_many_waiting`.',
  ),
  catchingUp: Type.Boolean({
    description:
      'Whether writes that add events fail with 429 `too_many_deliveries`, because too many are waiting for it.',
  }),
  health: healthSchema,
});

/** What functions that run by themselves were or are to be run for. */
export function addBackgroundRoutes(routes: ProjectRoutes, deps: BackgroundDeps): void {
  routes.add(
    onFunctions('', {
      method: 'GET',
      operationId: 'listBackgroundFunctions',
      summary: 'List background functions',
      description:
        'Hooks, tasks and schedules, with the number of waiting and dead events of each. Functions that are no longer deployed are listed as long as they have such events. At most 200 in all.',
      answers: { status: 200, data: Type.Array(functionSchema) },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listBackground(deps, context));
    },
  );
  routes.add(
    onFunctions('/:name', {
      method: 'GET',
      operationId: 'getBackgroundFunction',
      summary: 'Read a background function',
      description:
        'The events it runs after, whether it is enabled, and the number of its waiting and dead events.',
      params: functionParams,
      answers: { status: 200, data: functionSchema },
      failures: [404],
    }),
    async (context, { params }) => ok(await getBackground(deps, context, params.name)),
  );
  routes.add(
    onFunctions('/:name', {
      method: 'PATCH',
      operationId: 'changeBackgroundFunction',
      summary: 'Pause or resume a background function',
      description:
        'While it is paused, new events are not kept for it. With `enabled: true`, a function that was disabled because it failed starts again, with the events that have been waiting.',
      params: functionParams,
      body: Type.Object(
        { enabled: Type.Boolean({ description: 'False: it does not run until this is true again.' }) },
        { additionalProperties: false },
      ),
      answers: { status: 200, data: functionSchema },
      failures: [400, 404],
    }),
    async (context, { params, body }) => ok(await changeBackground(deps, context, params.name, body.enabled)),
  );
  addDeliveryRoutes(routes, deps);
}

function addDeliveryRoutes(routes: ProjectRoutes, { deliveries: sender }: BackgroundDeps): void {
  routes.add(
    onFunctions('/:name/deliveries', {
      method: 'GET',
      operationId: 'listFunctionDeliveries',
      summary: 'List the events that a function is waiting to process',
      description:
        'Waiting events, or dead ones, for which every attempt failed; the newest first. Processed events are in `/function-runs`.',
      params: functionParams,
      query: listParameters('waiting (the default) or dead.'),
      answers: { status: 200, data: deliveriesSchema, beside: { counts: countsSchema }, list: true },
      failures: [400, 404],
    }),
    async (context, { params, queryString }) => {
      const { lane } = await requireFunction(context, params.name);
      const { deliveries, counts, info } = await readDeliveries(context.db, lane, { queryString, statuses });
      return { ...ok(deliveries), beside: { counts: JSON.stringify(counts) }, page: info };
    },
  );
  routes.add(
    onFunctions('/:name/deliveries/:delivery', {
      method: 'GET',
      operationId: 'getFunctionDelivery',
      summary: 'Read an event that a function is waiting to process',
      description:
        'The event as the function receives it, the number of attempts, and why the last one failed. A key with scopes also needs the scopes to read what the event is about.',
      params: deliveryParams,
      answers: { status: 200, data: deliverySchema },
      failures: [404],
    }),
    async (context, { params }) => ok(await readEvent(context, params.name, params.delivery)),
  );
  routes.add(
    onFunctions('/:name/replay', {
      method: 'POST',
      operationId: 'replayFunction',
      summary: 'Run a function again for dead events',
      description:
        'For one of them, all of them, or those that happened since a given time. They keep their ids. An event that is waiting is retried immediately.',
      params: functionParams,
      body: replayBody,
      answers: { status: 200, data: replaySchema },
      failures: [400, 404],
    }),
    async (context, { params, body }) => {
      const { lane } = await requireFunction(context, params.name);
      return ok({ replayed: await replayDeliveries(sender, context, lane, body) });
    },
  );
}
