import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';

const fileName = 'environment.json';
const defaultFolder = '.plinth';
const offered = ['DATABASE_URL', 'SECRET_KEY', 'FILES_FOLDER'] as const;

/** Leaves a note in the data folder of `plinth dev`, by which other commands find its database while it runs. */
export async function offerEnvironment(folder: string, config: Config): Promise<void> {
  const environment = Object.fromEntries(offered.map((name) => [name, config[name]]));
  await writeFile(join(folder, fileName), JSON.stringify(environment), { mode: 0o600 });
}

export async function withdrawEnvironment(folder: string): Promise<void> {
  await rm(join(folder, fileName), { force: true });
}

/** The environment of the `plinth dev` that runs in this folder; undefined where none does. */
export async function devEnvironment(): Promise<Record<string, string> | undefined> {
  try {
    return JSON.parse(await readFile(join(defaultFolder, fileName), 'utf8')) as Record<string, string>;
  } catch {
    return undefined;
  }
}
