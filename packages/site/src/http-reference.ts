// Makes the pages of the HTTP reference from the OpenAPI document: one for each tag.
import { fieldsOf, type Schema, typeOf } from './schema-fields.ts';

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface OpenApi {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Call extends Operation {
  readonly method: string;
  readonly url: string;
}

interface Page {
  readonly page: string;
  readonly text: string;
}

/** A header that so many operations accept is explained once, on the first page. */
const commonFrom = 40;

export function httpReference(api: OpenApi): Page[] {
  const calls = Object.entries(api.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      url,
    })),
  );
  const headers = calls.flatMap(({ parameters = [] }) => parameters.filter((one) => one.in === 'header'));
  const common = [...Map.groupBy(headers, ({ name }) => name)]
    .filter(([, all]) => all.length >= commonFrom)
    .flatMap(([, [first]]) => first ?? []);
  const commonNames = new Set(common.map(({ name }) => name));
  const pageOf = (tag: string) => `http/${tag.toLowerCase().replaceAll(' ', '-')}`;
  const pages = api.tags.map(({ name, description }) => {
    const parts = calls
      .filter(({ tags }) => tags.includes(name))
      .map((call) => callText(call, api.components.schemas, commonNames));
    return { page: pageOf(name), text: `# ${name}\n\n${description}\n\n${parts.join('\n\n')}\n` };
  });
  const list = api.tags.map(
    ({ name, description }) => `| [${name}](../${pageOf(name)}.md) | ${description} |`,
  );
  const first = `# HTTP overview

${api.info.description}

## Headers of many requests

${parameterTable(common)}

## Everything there is

${calls.length} operations. A running service has them as an OpenAPI document at \`/openapi.json\`, and a page at \`/docs\` where you can try them.

| what | about |
| --- | --- |
${list.join('\n')}
`;
  return [{ page: 'http/README', text: first }, ...pages];
}

function callText(
  call: Call,
  schemas: Readonly<Record<string, Schema>>,
  common: ReadonlySet<string>,
): string {
  const parameters = (call.parameters ?? []).filter(({ name }) => !common.has(name));
  return [
    `## ${call.summary}`,
    `\`\`\`http\n${call.method} ${call.url}\n\`\`\``,
    call.description,
    `Needs: ${whoMay(call)}.`,
    parameters.length > 0 ? parameterTable(parameters) : undefined,
    ...bodyParts(call, schemas),
    ...answerParts(call, schemas),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

const credentials: Readonly<Record<string, string>> = {
  apiKey: 'an API key',
  bearer: 'the token of an app user',
  account: 'an account',
};

function whoMay({ security }: Call): string {
  const all = security.map((one) => credentials[Object.keys(one)[0] ?? ''] ?? 'no credential');
  return all.length === 0 ? 'no credential' : all.join(', or ');
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required = false, schema = {}, description = '' }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | ${cell(typeOf(schema))} | ${cell(description)} |`,
  );
  return `| parameter | in | type | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}

function bodyParts({ requestBody }: Call, schemas: Readonly<Record<string, Schema>>): string[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) => [
    `**Body** (\`${type}\`)`,
    ...fieldTable(media.schema, schemas),
    ...exampleOf(media),
  ]);
}

function answerParts({ responses }: Call, schemas: Readonly<Record<string, Schema>>): string[] {
  return Object.entries(responses).flatMap(([status, { $ref, description, content }]) => {
    // Those are the same for all, and their codes are in the list of errors.
    if ($ref !== undefined) return [];
    const [type, media] = Object.entries(content ?? {})[0] ?? [];
    const head = `**Response ${status}**${type === undefined || type === 'application/json' ? '' : ` (\`${type}\`)`}`;
    if (media === undefined) return [description === 'Success' ? head : `${head}: ${description}`];
    const data = media.schema?.properties?.data;
    const [fields, schema] = data === undefined ? ['', media.schema] : [': `data` has', data];
    const table = fieldTable(schema, schemas);
    return [table.length > 0 ? head + fields : head, ...table, ...exampleOf(media)];
  });
}

function fieldTable(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): string[] {
  const fields = schema === undefined ? [] : fieldsOf(schema, schemas);
  if (fields.length === 0) return [];
  const rows = fields.map(
    ({ path, type, isRequired, description }) =>
      `| \`${path}\` | ${cell(type)}${isRequired ? ', required' : ''} | ${cell(description)} |`,
  );
  return [`| field | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`];
}

function exampleOf({ example, examples }: Media): string[] {
  const value = example ?? Object.values(examples ?? {})[0]?.value;
  if (value === undefined || typeof value === 'string') return [];
  return [`\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``];
}

/** Text in a table: on one line, without what would end the cell. */
function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/(?<!\\)\|/g, '\\|');
}
