import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Config, ConfigError, parseConfig } from '../platform/config/config.ts';

const fileName = 'environment.json';
const defaultFolder = '.plinth';

const environmentSchema = Type.Object({
  DATABASE_URL: Type.String(),
  SECRET_KEY: Type.String(),
  FILES_FOLDER: Type.Optional(Type.String()),
});

type DevEnvironment = Static<typeof environmentSchema>;

/** Leaves a note in the data folder of `plinth dev`, by which other commands find its database while it runs. */
export async function offerEnvironment(
  folder: string,
  { DATABASE_URL, SECRET_KEY, FILES_FOLDER }: Config,
): Promise<void> {
  const environment = { DATABASE_URL, SECRET_KEY, FILES_FOLDER };
  await writeFile(join(folder, fileName), JSON.stringify(environment), { mode: 0o600 });
}

export async function withdrawEnvironment(folder: string): Promise<void> {
  await rm(join(folder, fileName), { force: true });
}

/** What the environment says; if it names no database, that of the `plinth dev` that runs in this folder. */
export async function localConfig(environment: NodeJS.ProcessEnv): Promise<Config> {
  if (environment.DATABASE_URL) return parseConfig(environment);
  const offered = await findEnvironment();
  if (!offered) {
    throw new ConfigError(
      'DATABASE_URL is not set, and no plinth dev runs in this folder (with its data in .plinth).',
    );
  }
  return parseConfig({ ...environment, ...offered });
}

async function findEnvironment(): Promise<DevEnvironment | undefined> {
  try {
    const offered: unknown = JSON.parse(await readFile(join(defaultFolder, fileName), 'utf8'));
    return Value.Check(environmentSchema, offered) ? offered : undefined;
  } catch {
    return undefined;
  }
}
