import { Type } from 'typebox';
import { created, ok } from '../../calls/index.ts';
import {
  type ManagementContext,
  type ManagementRoutes,
  noSuchProject,
  projectIn,
} from '../../calls/management/index.ts';
import { addDeliveryRoutes } from './delivery-routes.ts';
import type { Managed, WebhookDeps } from './deps.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listAll,
  rotateSecret,
} from './manage-webhooks.ts';
import {
  changeBody,
  newWebhookAnswer,
  newWebhookBody,
  nothing,
  projectParams,
  secretAnswer,
  webhookAnswer,
  webhookParams,
} from './schemas.ts';

const tag = 'Webhooks';
const all = '/management/projects/:ref/webhooks';
const one = `${all}/:id` as const;

/** The project of a call, with its data. Changes of it are made before the transaction of the audit log begins. */
async function managedBy({ open }: WebhookDeps, context: ManagementContext): Promise<Managed> {
  const { ref } = projectIn(context);
  const managed = await open(ref);
  if (!managed) throw noSuchProject(ref);
  return managed;
}

/** What the audit log says of an address: those of some services are secrets. */
const hostOf = (url: string) => new URL(url).host;

export function addWebhookRoutes(routes: ManagementRoutes, deps: WebhookDeps): void {
  routes.add(
    {
      method: 'GET',
      url: all,
      tag,
      operationId: 'listWebhooks',
      summary: 'List the webhooks of a project',
      description: 'Their URLs and events, the oldest first. Secrets are not included.',
      params: projectParams,
      answers: { status: 200, data: Type.Array(webhookAnswer) },
    },
    async (context) => ok(await listAll(await managedBy(deps, context))),
  );
  routes.add(
    {
      method: 'POST',
      url: all,
      tag,
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'From now on, events are sent to its URL, signed according to Standard Webhooks. The secret is only shown once.',
      params: projectParams,
      body: newWebhookBody,
      answers: { status: 201, data: newWebhookAnswer },
      prepare: async (context, { body }) => createWebhook(deps, await managedBy(deps, context), body),
    },
    async (_context, { prepared }) => {
      const { id, url, events } = prepared;
      return { ...created(prepared), audit: { target: id, details: { host: hostOf(url), events } } };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: one,
      tag,
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      description: 'Its URL and events, whether it is enabled, and the state of its deliveries.',
      params: webhookParams,
      answers: { status: 200, data: webhookAnswer },
      failures: [404],
    },
    async (context, { params }) => ok(await getWebhook(await managedBy(deps, context), params.id)),
  );
  routes.add(
    {
      method: 'PATCH',
      url: one,
      tag,
      operationId: 'updateWebhook',
      summary: 'Update a webhook',
      description:
        'Waiting events are sent to the new URL. To enable a disabled webhook, send `enabled: true`.',
      params: webhookParams,
      body: changeBody,
      answers: { status: 200, data: webhookAnswer },
      failures: [404],
      prepare: async (context, { params, body }) =>
        changeWebhook(deps, await managedBy(deps, context), params.id, body),
    },
    async (_context, { prepared, body }) => {
      const { id, url } = prepared;
      const details = { ...body, ...(body.url !== undefined && { url: undefined, host: hostOf(url) }) };
      return { ...ok(prepared), audit: { target: id, details } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: one,
      tag,
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Its waiting events and its delivery log are deleted too.',
      params: webhookParams,
      answers: { status: 200, data: nothing },
      failures: [404],
      prepare: async (context, { params }) => deleteWebhook(deps, await managedBy(deps, context), params.id),
    },
    async (_context, { params }) => ({ ...ok(null), audit: { target: params.id } }),
  );
  routes.add(
    {
      method: 'POST',
      url: `${one}/rotate-secret`,
      tag,
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'Events are signed with both secrets for 24 hours, so that receivers can switch to the new one.',
      params: webhookParams,
      answers: { status: 200, data: secretAnswer },
      failures: [404],
      prepare: async (context, { params }) => rotateSecret(deps, await managedBy(deps, context), params.id),
    },
    async (_context, { params, prepared }) => ({
      ...ok({ secret: prepared }),
      audit: { target: params.id },
    }),
  );
  addDeliveryRoutes(routes, { deps, managedBy: (context) => managedBy(deps, context) });
}
