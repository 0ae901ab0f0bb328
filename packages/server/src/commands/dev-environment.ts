import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Config, ConfigError, parseConfig } from '../platform/config/config.ts';
import { UsageError } from './usage.ts';

const fileName = 'environment.json';
/** Where `plinth dev` keeps everything, unless it is told otherwise. */
export const defaultFolder = '.plinth';

const environmentSchema = Type.Object({
  DATABASE_URL: Type.String(),
  SECRET_KEY: Type.String(),
  FILES_FOLDER: Type.Optional(Type.String()),
  PLINTH_URL: Type.Optional(Type.String()),
  PLINTH_API_KEY: Type.Optional(Type.String()),
});

type DevEnvironment = Static<typeof environmentSchema>;

/** Where the project of a `plinth dev` is, and its key. */
interface DevAddress {
  readonly url: string;
  readonly apiKey: string;
}

/** The project of the `plinth dev` that runs with its data in the folder. */
export async function findDevProject(folder = defaultFolder): Promise<DevAddress | undefined> {
  const { PLINTH_URL: url, PLINTH_API_KEY: apiKey } = (await findEnvironment(folder)) ?? {};
  return url !== undefined && apiKey !== undefined ? { url, apiKey } : undefined;
}

/** Leaves a note in the data folder of `plinth dev`, by which other commands find its database while it runs. */
export async function offerEnvironment(
  folder: string,
  { DATABASE_URL, SECRET_KEY, FILES_FOLDER }: Config,
  project?: DevAddress,
): Promise<void> {
  const environment: DevEnvironment = {
    DATABASE_URL,
    SECRET_KEY,
    ...(FILES_FOLDER !== undefined && { FILES_FOLDER }),
    ...(project && { PLINTH_URL: project.url, PLINTH_API_KEY: project.apiKey }),
  };
  await writeFile(join(folder, fileName), JSON.stringify(environment), { mode: 0o600 });
}

export async function withdrawEnvironment(folder: string): Promise<void> {
  await rm(join(folder, fileName), { force: true });
}

/** Takes an option and its value out of what was given to a command; the rest is the command's. */
export function takeOption(args: readonly string[], name: string): { value?: string; rest: string[] } {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (at === -1) return { rest: [...args] };
  const [, inline] = args[at]?.split(/=(.*)/s) ?? [];
  const value = inline ?? args[at + 1];
  if (value === undefined) throw new UsageError(`${name} needs a value.`);
  return { value, rest: args.toSpliced(at, inline === undefined ? 2 : 1) };
}

/** Takes `--data-dir <folder>` out of what was given to a command. */
export function takeDataDir(args: readonly string[]): { folder?: string; rest: string[] } {
  const { value: folder, rest } = takeOption(args, '--data-dir');
  return { ...(folder !== undefined && { folder }), rest };
}

/** What the environment says; if it names no database, that of the `plinth dev` that runs with its data in the folder. */
export async function localConfig(environment: NodeJS.ProcessEnv, folder?: string): Promise<Config> {
  if (folder === undefined && environment.DATABASE_URL) return parseConfig(environment);
  const offered = await findEnvironment(folder ?? defaultFolder);
  if (!offered) {
    throw new ConfigError(
      folder === undefined
        ? 'DATABASE_URL is not set, and no plinth dev is running in this folder (with its data in .plinth). Pass its folder with --data-dir, or log in to a deployment: plinth login <url>.'
        : `No plinth dev is running with its data in ${folder}.`,
    );
  }
  const { PLINTH_URL: address } = offered;
  return parseConfig({
    ...environment,
    ...offered,
    // What it prints leads to where it runs.
    ...(address !== undefined && { PUBLIC_URL: new URL(address).origin }),
  });
}

async function findEnvironment(folder: string): Promise<DevEnvironment | undefined> {
  try {
    const offered: unknown = JSON.parse(await readFile(join(folder, fileName), 'utf8'));
    return Value.Check(environmentSchema, offered) ? offered : undefined;
  } catch {
    return undefined;
  }
}
