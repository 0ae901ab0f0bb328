import { limitsOf, type ProjectRecord, readTiers } from '../calls/index.ts';
import type { ProjectCommand } from './project-action.ts';

interface Description {
  readonly apiKey?: string;
  /** The services that the project has set. */
  readonly services?: readonly string[];
}

/** A project for the terminal, or as a line of JSON. */
export function describeProject(
  { config, options }: Pick<ProjectCommand, 'config' | 'options'>,
  project: ProjectRecord,
  { apiKey, services }: Description = {},
): string {
  const { settings } = project;
  const record = {
    ref: project.ref,
    name: project.name,
    tier: project.tier,
    rateLimit: limitsOf(project, readTiers(config.TIERS)).callsPerMinute,
    cell: project.cell,
    allowedOrigins: project.allowedOrigins,
    responseFormat: settings.responseFormat ?? 'envelope',
    uploads: settings.uploads ?? 'users',
    logQueries: settings.logQueries ?? 'names',
    browserKeys: settings.refuseBrowserKeys ? 'refuse' : 'answer',
    rooms: settings.rooms ?? {},
    language: settings.language ?? 'en',
    '2faOptOut': settings.allow2faOptOut ?? false,
    testReceivers: settings.testReceivers ?? [],
    configs: project.configs,
    createdAt: project.createdAt,
    ...(project.keyInBrowserAt && { keyInBrowserAt: project.keyInBrowserAt }),
    ...(services && { services }),
    ...(apiKey !== undefined && { apiKey }),
  };
  if (options.json) return JSON.stringify(record);
  const lines = Object.entries(record).map(([name, value]) => `${name.padEnd(15)} ${show(value)}`);
  if (apiKey !== undefined)
    lines.push('', 'The API key is only shown once. Keep it on servers, never in a browser.');
  return lines.join('\n');
}

function show(value: string | number | boolean | object): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}
