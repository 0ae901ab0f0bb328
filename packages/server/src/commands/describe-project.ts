import { type Project, rateLimitOf } from '../calls/index.ts';

interface Description {
  readonly asJson: boolean;
  readonly apiKey?: string;
  /** The services that the project has set. */
  readonly services?: readonly string[];
}

/** A project for the terminal, or as a line of JSON. */
export function describeProject(project: Project, { asJson, apiKey, services }: Description): string {
  const { settings } = project;
  const record = {
    ref: project.ref,
    name: project.name,
    tier: project.tier,
    rateLimit: rateLimitOf(project),
    cell: project.cell,
    allowedOrigins: project.allowedOrigins,
    responseFormat: settings.responseFormat ?? 'envelope',
    uploads: settings.uploads ?? 'users',
    rooms: settings.rooms ?? {},
    language: settings.language ?? 'en',
    '2faOptOut': settings.allow2faOptOut ?? false,
    configs: project.configs,
    createdAt: project.createdAt,
    ...(services && { services }),
    ...(apiKey !== undefined && { apiKey }),
  };
  if (asJson) return JSON.stringify(record);
  const lines = Object.entries(record).map(([name, value]) => `${name.padEnd(15)} ${show(value)}`);
  if (apiKey !== undefined)
    lines.push('', 'The API key is shown only now. Keep it on servers, never in a browser.');
  return lines.join('\n');
}

function show(value: string | number | boolean | object): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}
