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
  kind: orNull(Type.String(), '`hook`, `task` or `schedule`; null: it is not in the present deployment.'),
  events: Type.Array(Type.String(), {
    description: 'What a hook runs after; empty for tasks and schedules.',
    examples: [['orders.create']],
  }),
  ordered: Type.Boolean({ description: 'Whether it runs for one event at a time, in their order.' }),
  enabled: Type.Boolean({ description: 'Whether it runs.' }),
  disabledAt: orNull(Type.String({ format: 'date-time' }), 'Since when it does not run.'),
  disabledReason: orNull(
    Type.String(),
    '`paused` by the team, `gone` (a deployment left it out), `failing` for five days, or `too_many_waiting`.',
  ),
  catchingUp: Type.Boolean({ description: 'Whether writers are kept waiting because so much waits for it.' }),
  health: healthSchema,
});

/** What functions that run by themselves were or are to be run for. */
export function addBackgroundRoutes(routes: ProjectRoutes, deps: BackgroundDeps): void {
  routes.add(
    onFunctions('', {
      method: 'GET',
      operationId: 'listBackgroundFunctions',
      summary: 'List functions that run by themselves',
      description:
        'Hooks, tasks and schedules, with how many events wait for each or are dead. Those that a deployment left out are listed while they have any, at most 200 in all.',
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
      summary: 'Read one function that runs by itself',
      description: 'What it runs after, whether it does, and how many events wait for it or are dead.',
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
      summary: 'Pause a function that runs by itself, or let it go on',
      description:
        'While it is paused nothing that happens is kept for it. One that was disabled because it failed begins anew with `enabled: true`, with what has waited.',
      params: functionParams,
      body: Type.Object(
        { enabled: Type.Boolean({ description: 'False: it does not run until this is set to true.' }) },
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
      summary: 'List what a function is to run for',
      description:
        'Events that wait, or that are dead because it failed every time, the newest first. What it has run for is in `/function-runs`.',
      params: functionParams,
      query: listParameters('waiting (unless you say otherwise) or dead.'),
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
      summary: 'Read one event that a function is to run for',
      description:
        'The event as the function is given it, how often it was tried, and why it failed last. A key with scopes also needs those to read what the event tells of.',
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
      summary: 'Run a function again for events that are dead',
      description:
        'For one of them, for all, or for those that happened since a moment. They keep their ids. One that waits is tried at once.',
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
