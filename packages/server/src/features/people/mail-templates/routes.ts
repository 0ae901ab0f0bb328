import { type Static, Type } from 'typebox';
import { ok, type ProjectRoutes, routeGroup } from '../../../calls/index.ts';
import type { MessageDeps } from '../messages/index.ts';
import {
  listAllTemplates,
  previewTemplate,
  readWhich,
  replaceTemplate,
  restoreTemplate,
  sendTest,
} from './manage-templates.ts';
import { previewSchema, templateBody, templateParams, templateSchema, testBody } from './schemas.ts';

const url = '/auth-collections/templates';
const shared = { access: 'server', scope: 'mail', tag: 'Mail templates', isSecret: true } as const;
const all = routeGroup({ ...shared, url });
const one = routeGroup({
  ...shared,
  url: `${url}/:name/:language`,
  failures: [400, 404],
});

/** The texts of mails, which the project's server may replace. */
export function addMailTemplateRoutes(routes: ProjectRoutes, deps: MessageDeps): void {
  const template = { status: 200, data: templateSchema } as const;
  routes.add(
    all('', {
      method: 'GET',
      operationId: 'listTemplates',
      summary: 'List mail templates, as they would be sent now',
      description: 'All templates, in every language; `is_own` marks those that the project has replaced.',
      answers: { status: 200, data: Type.Array(templateSchema) },
    }),
    async (context) => ok(await listAllTemplates(context)),
  );
  routes.add(
    one('', {
      method: 'PUT',
      params: templateParams,
      operationId: 'replaceTemplate',
      summary: 'Replace a mail template',
      description:
        'Takes effect from the next email on. Placeholders that the template does not support are rejected.',
      body: templateBody,
      answers: template,
    }),
    async (context, { params, body }) =>
      ok(await replaceTemplate(context, readWhich(params), readText(body))),
  );
  routes.add(
    one('', {
      method: 'DELETE',
      params: templateParams,
      operationId: 'restoreTemplate',
      summary: 'Restore the built-in template',
      description: 'Deletes the template that the project had in its place.',
      answers: template,
    }),
    async (context, { params }) => ok(await restoreTemplate(context, readWhich(params))),
  );
  routes.add(
    one('/preview', {
      method: 'POST',
      params: templateParams,
      operationId: 'previewTemplate',
      summary: 'Preview a template',
      description: 'Renders the template with sample values. Nothing is stored or sent.',
      body: templateBody,
      answers: { status: 200, data: previewSchema },
    }),
    async (context, { params, body }) => ok(previewTemplate(context, readWhich(params), readText(body))),
  );
  routes.add(
    one('/test', {
      method: 'POST',
      params: templateParams,
      operationId: 'sendTestMail',
      summary: 'Send a test email with sample values',
      description:
        'It is sent like every email of the project, to an address that is allowed to receive test emails.',
      body: testBody,
      answers: { status: 200, data: Type.Object({ sent: Type.Literal(true) }) },
    }),
    async (context, { params, body }) => {
      await sendTest(deps, context, readWhich(params), body.to);
      return ok({ sent: true });
    },
  );
}

function readText({ subject = '', ...rest }: Static<typeof templateBody>) {
  return { subject, ...rest };
}
