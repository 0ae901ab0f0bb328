import { ok } from '../../calls/index.ts';
import type { ManagementContext, ManagementRoutes } from '../../calls/management/index.ts';
import {
  countsSchema,
  deliveriesSchema,
  listParameters,
  loggedDeliverySchema,
  readAttempts,
  readDeliveries,
  readDelivery,
  replayBody,
  replayDeliveries,
  replaySchema,
} from '../deliveries/index.ts';
import type { Managed, WebhookDeps } from './deps.ts';
import { getStored } from './manage-webhooks.ts';
import { deliveryParams, testAnswer, webhookParams } from './schemas.ts';
import { testWebhook } from './test-webhook.ts';

const tag = 'Webhooks';
const one = '/management/projects/:ref/webhooks/:id';
const statuses = ['waiting', 'delivered', 'dead'] as const;

interface Needs {
  readonly deps: WebhookDeps;
  readonly managedBy: (context: ManagementContext) => Promise<Managed>;
}

export function addDeliveryRoutes(routes: ManagementRoutes, { deps, managedBy }: Needs): void {
  routes.add(
    {
      method: 'GET',
      url: `${one}/deliveries`,
      tag,
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      description:
        'Those that are waiting, were delivered in the last 7 days, or are dead; the newest first.',
      params: webhookParams,
      query: listParameters('waiting (the default), delivered or dead.'),
      answers: { status: 200, data: deliveriesSchema, beside: { counts: countsSchema }, list: true },
      failures: [400, 404],
    },
    async (context, { params, queryString }) => {
      const managed = await managedBy(context);
      const { lane } = await getStored(managed, params.id);
      const { deliveries, counts, info } = await readDeliveries(managed.db, lane, { queryString, statuses });
      return { ...ok(deliveries), beside: { counts: JSON.stringify(counts) }, page: info };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: `${one}/deliveries/:delivery`,
      tag,
      operationId: 'getWebhookDelivery',
      summary: 'Read a delivery with its attempts',
      description:
        'The payload that was sent or will be sent, and each attempt of the last 7 days with its response.',
      params: deliveryParams,
      answers: { status: 200, data: loggedDeliverySchema },
      failures: [404],
    },
    async (context, { params }) => {
      const managed = await managedBy(context);
      const { lane } = await getStored(managed, params.id);
      const delivery = await readDelivery(managed.db, lane, params.delivery);
      return ok({ ...delivery, tried: await readAttempts(managed.db, lane, params.delivery) });
    },
  );
  routes.add(
    {
      method: 'POST',
      url: `${one}/replay`,
      tag,
      operationId: 'replayWebhook',
      summary: 'Send events again',
      description:
        'One delivery, all dead ones, or those since a given time: delivered since then, or dead with an event from then on. They keep their ids, so that receivers can recognize duplicates.',
      params: webhookParams,
      body: replayBody,
      answers: { status: 200, data: replaySchema },
      failures: [400, 404],
      prepare: async (context, { params, body }) => {
        const managed = await managedBy(context);
        const { lane } = await getStored(managed, params.id);
        return replayDeliveries(deps.deliveries, managed, lane, body);
      },
    },
    async (_context, { params, body, prepared }) => ({
      ...ok({ replayed: prepared }),
      audit: { target: params.id, details: { ...body, replayed: prepared } },
    }),
  );
  routes.add(
    {
      method: 'POST',
      url: `${one}/test`,
      tag,
      operationId: 'testWebhook',
      summary: 'Send a test event now',
      description:
        'The response has the status and body that the receiver returned. The event is sent once, even if the webhook is disabled.',
      params: webhookParams,
      answers: { status: 200, data: testAnswer },
      failures: [404],
      prepare: async (context, { params }) => testWebhook(deps, await managedBy(context), params.id),
    },
    async (_context, { params, prepared }) => ({
      ...ok(prepared),
      audit: { target: params.id, details: { delivered: prepared.delivered } },
    }),
  );
}
