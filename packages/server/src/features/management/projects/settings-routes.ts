import { Type } from 'typebox';
import { ok } from '../../../calls/index.ts';
import { type ManagementRoutes, projectIn } from '../../../calls/management/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import {
  getProject,
  listEnv,
  listProjectSecrets,
  setEnv,
  setOrigins,
  unsetEnv,
  unsetProjectSecret,
} from '../../control/index.ts';
import { nothing, strict } from '../accounts/index.ts';
import { changeConfigs, changeSettings, readConfigs, setService } from './change-settings.ts';
import { type ProjectLifeDeps, readProject } from './project-life.ts';
import { configAnswer, projectAnswer, ref, refParams, settingsBody } from './schemas.ts';

const tag = 'Projects';
const none = { status: 200, data: nothing } as const;
const names = (description: string, examples: string[]) =>
  Type.Array(Type.String(), { description, examples: [examples] });

interface SettingsDeps extends ProjectLifeDeps {
  readonly vault: Vault;
}

export function addSettingsRoutes(routes: ManagementRoutes, deps: SettingsDeps): void {
  routes.add(
    {
      method: 'PATCH',
      url: '/management/projects/:ref/settings',
      tag,
      operationId: 'updateProjectSettings',
      summary: 'Update the settings of a project',
      description: 'Changes only the settings you send; all others stay unchanged.',
      params: refParams,
      body: settingsBody,
      answers: { status: 200, data: projectAnswer },
    },
    async (context, { body }) => {
      await changeSettings(context, body);
      return { ...ok(await readProject(deps, context)), audit: { details: body } };
    },
  );
  routes.add(
    {
      method: 'PUT',
      url: '/management/projects/:ref/origins',
      tag,
      operationId: 'setOrigins',
      summary: 'Set the allowed origins of a project',
      description: 'Send the complete list: full origins with their scheme. Wildcards are not supported.',
      params: refParams,
      body: Type.Object(
        {
          origins: Type.Array(Type.String({ maxLength: 300 }), {
            maxItems: 100,
            description: 'All allowed origins.',
            examples: [['https://app.example.com', 'http://localhost:5173']],
          }),
        },
        strict,
      ),
      answers: { status: 200, data: names('The allowed origins.', ['https://app.example.com']) },
    },
    async (context, { body }) => {
      const before = await getProject(context.control, projectIn(context).ref);
      const after = await setOrigins(context.control, before.ref, body.origins);
      const details = { before: before.allowedOrigins, after: after.allowedOrigins };
      return { ...ok(after.allowedOrigins), audit: { details } };
    },
  );
  addConfigRoutes(routes);
  addEnvRoutes(routes, deps);
  addServiceRoutes(routes, deps);
}

function addConfigRoutes(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/configs',
      tag,
      operationId: 'listConfigs',
      summary: 'List the configuration keys of a project',
      description: 'Each with its value, its default, its meaning, and a warning if there is one.',
      params: refParams,
      answers: { status: 200, data: configAnswer },
    },
    async (context) => ok(await readConfigs(context)),
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/management/projects/:ref/configs',
      tag,
      operationId: 'updateConfigs',
      summary: 'Set configuration keys of a project',
      description: 'Changes only the keys you send; null resets a key to its default.',
      params: refParams,
      body: Type.Record(
        Type.String(),
        Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean(), Type.Null()]),
        { description: 'Values by key.', examples: [{ OTP_LENGTH: 8 }] },
      ),
      answers: { status: 200, data: configAnswer },
    },
    async (context, { body }) => ({ ...ok(await changeConfigs(context, body)), audit: { details: body } }),
  );
}

function addEnvRoutes(routes: ManagementRoutes, { vault }: SettingsDeps): void {
  const params = Type.Object({
    ref,
    key: Type.String({ maxLength: 100, description: 'The key of the variable.', examples: ['STRIPE_KEY'] }),
  });
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/env',
      tag,
      operationId: 'listEnv',
      summary: 'List environment variables',
      description: 'Only their keys. Only the project’s own code can see the values.',
      params: refParams,
      answers: { status: 200, data: names('The keys.', ['STRIPE_KEY']) },
    },
    async (context) => ok(await listEnv(context.control, projectIn(context).ref)),
  );
  routes.add(
    {
      method: 'PUT',
      url: '/management/projects/:ref/env/:key',
      tag,
      operationId: 'setEnv',
      summary: 'Set an environment variable',
      description: 'It is stored encrypted and never shown again. Functions see it from their next call on.',
      params,
      body: Type.Object(
        { value: Type.String({ maxLength: 10_000, description: 'The value.', examples: ['sk_live_…'] }) },
        strict,
      ),
      answers: {
        status: 200,
        data: Type.Object({
          key: Type.String({ description: 'The key, as it is stored.', examples: ['STRIPE_KEY'] }),
        }),
      },
    },
    async (context, { params: { key: given }, body }) => {
      const { ref } = projectIn(context);
      const key = await setEnv(context.control, vault, { ref, key: given, value: body.value });
      return { ...ok({ key }), audit: { target: key } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/projects/:ref/env/:key',
      tag,
      operationId: 'unsetEnv',
      summary: 'Remove an environment variable',
      description: 'Functions no longer see it from their next call on.',
      params,
      answers: none,
      failures: [404],
    },
    async (context, { params: { key } }) => ({
      ...ok(null),
      audit: { target: await unsetEnv(context.control, projectIn(context).ref, key) },
    }),
  );
}

function addServiceRoutes(routes: ManagementRoutes, { vault }: SettingsDeps): void {
  const params = Type.Object({
    ref,
    service: Type.String({
      maxLength: 100,
      description: '`mail`, `sms` or `provider:{name}`.',
      examples: ['mail'],
    }),
  });
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/services',
      tag,
      operationId: 'listServices',
      summary: 'List the services that a project uses',
      description:
        'The names of its mail server, text message gateway and identity providers. Settings are never shown.',
      params: refParams,
      answers: { status: 200, data: names('The names of the services.', ['mail', 'provider:google']) },
    },
    async (context) => {
      const { projectId: id } = projectIn(context);
      return ok(await listProjectSecrets(context.control, { id }));
    },
  );
  routes.add(
    {
      method: 'PUT',
      url: '/management/projects/:ref/services/:service',
      tag,
      operationId: 'setService',
      summary: 'Set up a service of a project',
      description:
        'Takes the same settings as `plinth project set-mail` and similar commands. They are stored encrypted.',
      params,
      body: Type.Object({}, { additionalProperties: true, description: 'The settings of the service.' }),
      answers: none,
    },
    async (context, { params: { service }, body }) => {
      await setService(vault, context, service, body);
      return { ...ok(null), audit: { target: service } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/projects/:ref/services/:service',
      tag,
      operationId: 'unsetService',
      summary: 'Remove a service of a project',
      description: 'Its settings are removed; the project continues without the service.',
      params,
      answers: none,
      failures: [404],
    },
    async (context, { params: { service } }) => {
      await unsetProjectSecret(context.control, projectIn(context).ref, service);
      return { ...ok(null), audit: { target: service } };
    },
  );
}
