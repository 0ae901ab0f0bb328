import { type Static, Type } from 'typebox';
import { ok } from '../../platform/http/answer.ts';
import type { ProjectRoute, ProjectRoutes } from '../projects/index.ts';
import {
  listAllTemplates,
  previewTemplate,
  readWhich,
  replaceTemplate,
  restoreTemplate,
  sendTest,
} from './manage-templates.ts';
import { previewSchema, templateBody, templateParams, templateSchema, testBody } from './schemas.ts';
import type { MessageServices } from './services.ts';

const all = '/auth-collections/templates';
const one = `${all}/:name/:language`;

type Described = Pick<ProjectRoute, 'method' | 'url' | 'operationId' | 'summary' | 'answers'> &
  Partial<ProjectRoute>;

const route = (described: Described): ProjectRoute => ({
  access: 'server',
  tag: 'Mail templates',
  ...(described.url !== all && { params: templateParams, failures: [400, 404] }),
  ...described,
});

/** The texts of mails, which the project's server may replace. */
export function addMessageRoutes(routes: ProjectRoutes, services: MessageServices): void {
  const template = { status: 200, data: templateSchema } as const;
  routes.add(
    route({
      method: 'GET',
      url: all,
      operationId: 'listTemplates',
      summary: 'The texts of mails, as they would be sent now',
      answers: { status: 200, data: Type.Array(templateSchema) },
    }),
    async (context) => ok(await listAllTemplates(context)),
  );
  routes.add(
    route({
      method: 'PUT',
      url: one,
      operationId: 'replaceTemplate',
      summary: 'Replace the text of a mail',
      body: templateBody,
      answers: template,
    }),
    async (context, { params, body }) =>
      ok(await replaceTemplate(context, readWhich(params), readText(body))),
  );
  routes.add(
    route({
      method: 'DELETE',
      url: one,
      operationId: 'restoreTemplate',
      summary: 'Go back to the built-in text',
      answers: template,
    }),
    async (context, { params }) => ok(await restoreTemplate(context, readWhich(params))),
  );
  routes.add(
    route({
      method: 'POST',
      url: `${one}/preview`,
      operationId: 'previewTemplate',
      summary: 'See how a text would look; nothing is stored or sent',
      body: templateBody,
      answers: { status: 200, data: previewSchema },
    }),
    async (context, { params, body }) => ok(previewTemplate(context, readWhich(params), readText(body))),
  );
  routes.add(
    route({
      method: 'POST',
      url: `${one}/test`,
      operationId: 'sendTestMail',
      summary: 'Send the mail as it is now, with made-up values',
      body: testBody,
      answers: { status: 200, data: Type.Object({ sent: Type.Literal(true) }) },
    }),
    async (context, { params, body }) => {
      await sendTest(services, context, readWhich(params), (body as Static<typeof testBody>).to);
      return ok({ sent: true });
    },
  );
}

function readText(body: unknown) {
  const { subject = '', ...rest } = body as Static<typeof templateBody>;
  return { subject, ...rest };
}
