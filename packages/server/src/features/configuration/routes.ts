import { invalidQuery, ok, type ProjectRoutes, refuseOthers, withWarnings } from '../../calls/index.ts';
import { type ConfigurationDeps, pullConfiguration, pushConfiguration } from './push-configuration.ts';
import { configurationAnswer, configurationBody, configurationFlags, planAnswer } from './schemas.ts';

const shared = {
  url: '/configuration',
  access: 'server',
  scope: 'configuration',
  tag: 'Configuration',
  isSecret: true,
} as const;

export function addConfigurationRoutes(routes: ProjectRoutes, deps: ConfigurationDeps): void {
  routes.add(
    {
      ...shared,
      method: 'GET',
      operationId: 'readConfiguration',
      summary: 'Read the whole configuration of the project',
      description:
        'Collections with their rules, schemas and indexes, settings, configs, origins and mail templates. Secrets are not included: environment variables and services are only listed by name.',
      answers: { status: 200, data: configurationAnswer, hasVersion: true },
      failures: [400],
    },
    async (context) => {
      const pulled = await pullConfiguration(deps, context);
      return { ...ok(pulled), headers: { ETag: `"${pulled.version}"` } };
    },
  );

  routes.add(
    {
      ...shared,
      method: 'PUT',
      operationId: 'changeConfiguration',
      summary: 'Apply a configuration to the project',
      description:
        'Takes the `configuration` of `GET /configuration`. A part that you omit stays unchanged; a part that you send is applied completely: a collection that it does not name is deleted. Changes that cannot be undone are rejected without `allowDestructive`.',
      query: configurationFlags,
      headers: ['If-Match'],
      body: configurationBody,
      answers: { status: 200, data: planAnswer, hasVersion: true },
      failures: [400, 413],
    },
    async (context, { body, queryString, headers }) => {
      const options = { ...readFlags(queryString), expected: readTag(headers['if-match']) };
      const { warnings, ...pushed } = await pushConfiguration(deps, context, body, options);
      return { ...withWarnings(ok(pushed), warnings), headers: { ETag: `"${pushed.version}"` } };
    },
  );
}

function readFlags(queryString: string): { isDryRun: boolean; allowDestructive: boolean } {
  refuseOthers(
    queryString,
    configurationFlags.map(({ name }) => name),
  );
  const given = new URLSearchParams(queryString);
  const isTrue = (name: string) => {
    const text = given.get(name) ?? 'false';
    if (text !== 'true' && text !== 'false') throw invalidQuery(name, 'It must be true or false.');
    return text === 'true';
  };
  return { isDryRun: isTrue('dryRun'), allowDestructive: isTrue('allowDestructive') };
}

function readTag(text: string | undefined): string | undefined {
  return text === undefined || text === '*' ? undefined : text.replace(/^"(.*)"$/, '$1');
}
