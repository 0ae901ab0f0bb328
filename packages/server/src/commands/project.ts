import { text as readText } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { purgeProject } from '../features/documents/index.ts';
import {
  configOf,
  createProject,
  deleteProject,
  getProject,
  isService,
  listProjectSecrets,
  listProjects,
  type Project,
  ProjectError,
  rateLimitOf,
  regenerateKey,
  setConfig,
  setOrigins,
  setResponseFormat,
  setRooms,
  setTier,
  setUploads,
  unsetConfig,
} from '../features/projects/index.ts';
import type { Config, Tier } from '../platform/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { openVault } from '../platform/vault.ts';
import { runEnvironment } from './project-environment.ts';
import { serviceActions } from './project-services.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

const tiers: readonly string[] = ['free', 'standard', 'pro', 'enterprise'];

/** `plinth project …`: what an operator does with projects. Returns the lines to print. */
export async function runProjectCommand(
  config: Config,
  args: string[],
  readInput: () => Promise<string> = () => readText(process.stdin),
): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tier: { type: 'string' },
      'rate-limit': { type: 'string' },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [action = '', ...rest] = positionals;
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    const print = (project: Project, apiKey?: string) => describe(project, { asJson: values.json, apiKey });
    switch (action) {
      case 'create': {
        const tier = readTier(values.tier ?? config.DEFAULT_TIER);
        const { project, apiKey } = await createProject(control, { name: argument(rest, 0, 'a name'), tier });
        return print(project, apiKey);
      }
      case 'list':
        return listAll(control, values.json);
      case 'show': {
        const project = await getProject(control, argument(rest, 0, 'a ref'));
        const services = (await listProjectSecrets(control, project)).filter(isService);
        return describe(project, { asJson: values.json, services });
      }
      case 'regenerate-key': {
        const { project, apiKey } = await regenerateKey(control, argument(rest, 0, 'a ref'));
        return print(project, apiKey);
      }
      case 'set-tier': {
        const tier = readTier(argument(rest, 1, 'a tier'));
        return print(
          await setTier(control, argument(rest, 0, 'a ref'), tier, readRateLimit(values['rate-limit'])),
        );
      }
      case 'set-origins':
        return print(await setOrigins(control, argument(rest, 0, 'a ref'), rest.slice(1)));
      case 'set-response-format':
        return print(
          await setResponseFormat(
            control,
            argument(rest, 0, 'a ref'),
            readFormat(argument(rest, 1, 'envelope or bare')),
          ),
        );
      case 'set-uploads':
        return print(
          await setUploads(
            control,
            argument(rest, 0, 'a ref'),
            readUploads(argument(rest, 1, 'users or server')),
          ),
        );
      case 'set-rooms':
        return print(await setRooms(control, argument(rest, 0, 'a ref'), rest.slice(1)));
      case 'env': {
        const [what = '', ...more] = rest;
        const ref = argument(more, 0, 'a ref');
        return runEnvironment(what, {
          control,
          vault: openVault(config),
          ref,
          rest: more.slice(1),
          readInput,
        });
      }
      case 'config':
        return runConfig(control, rest, print);
      case 'delete': {
        const ref = argument(rest, 0, 'a ref');
        if (!values.yes)
          throw new UsageError(`This removes project ${ref} and all its data for ever. Add --yes to go on.`);
        await deleteProject(control, cells, ref, purgeProject);
        return `Project ${ref} and its data are gone.`;
      }
      default: {
        const service = Object.hasOwn(serviceActions, action) ? serviceActions[action] : undefined;
        if (service) {
          const ref = argument(rest, 0, 'a ref');
          const done = await service({
            control,
            vault: openVault(config),
            ref,
            rest: rest.slice(1),
            readInput,
          });
          return typeof done === 'string' ? done : print(done);
        }
        throw new UsageError(
          action === '' ? 'plinth project needs an action.' : `There is no "plinth project ${action}".`,
        );
      }
    }
  });
}

async function runConfig(
  control: ControlDb,
  rest: readonly string[],
  print: (project: Project) => string,
): Promise<string> {
  const [action = ''] = rest;
  const ref = argument(rest, 1, 'a ref');
  switch (action) {
    case 'set':
      return print(await setConfig(control, ref, argument(rest, 2, 'a key'), argument(rest, 3, 'a value')));
    case 'unset':
      return print(await unsetConfig(control, ref, argument(rest, 2, 'a key')));
    case 'list':
      return Object.entries(configOf(await getProject(control, ref)))
        .map(([name, value]) => `${name}=${value ?? ''}`)
        .join('\n');
    default:
      throw new UsageError('plinth project config takes set, unset or list.');
  }
}

async function listAll(control: ControlDb, asJson: boolean): Promise<string> {
  const lines: string[] = [];
  for (let afterRef = ''; ; ) {
    const page = await listProjects(control, { limit: 1000, afterRef });
    for (const project of page) {
      lines.push(
        asJson
          ? describe(project, { asJson })
          : `${project.ref}  ${project.tier.padEnd(10)}  ${project.name}`,
      );
    }
    if (page.length < 1000) break;
    afterRef = page.at(-1)!.ref;
  }
  if (lines.length === 0 && !asJson)
    return 'There is no project yet. Create one with: plinth project create <name>';
  return lines.join('\n');
}

function describe(
  project: Project,
  {
    asJson,
    apiKey,
    services,
  }: { asJson: boolean; apiKey?: string | undefined; services?: readonly string[] },
): string {
  const record = {
    ref: project.ref,
    name: project.name,
    tier: project.tier,
    rateLimit: rateLimitOf(project),
    cell: project.cell,
    allowedOrigins: project.allowedOrigins,
    responseFormat: project.settings.responseFormat ?? 'envelope',
    uploads: project.settings.uploads ?? 'users',
    rooms: project.settings.rooms ?? {},
    language: project.settings.language ?? 'en',
    '2faOptOut': project.settings.allow2faOptOut ?? false,
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

function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number}`;
}

function argument(rest: readonly string[], at: number, what: string): string {
  const text = rest[at];
  if (text === undefined) throw new UsageError(`${what[0]!.toUpperCase()}${what.slice(1)} is missing.`);
  return text;
}

function readTier(text: string): Tier {
  if (!tiers.includes(text)) throw new ProjectError(`"${text}" is not a tier. Known: ${tiers.join(', ')}.`);
  return text as Tier;
}

function readFormat(text: string): 'envelope' | 'bare' {
  if (text !== 'envelope' && text !== 'bare') throw new ProjectError('The format is envelope or bare.');
  return text;
}

function readUploads(text: string): 'users' | 'server' {
  if (text !== 'users' && text !== 'server') throw new ProjectError('Uploads are open to users or server.');
  return text;
}

function readRateLimit(text: string | undefined): number | null {
  if (text === undefined) return null;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new ProjectError('--rate-limit is a whole number of calls a minute, 1 or more.');
  return limit;
}
