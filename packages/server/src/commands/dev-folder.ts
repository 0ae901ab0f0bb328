import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../platform/error-code.ts';
import { CommandError } from './usage.ts';

/** Makes the data folder and claims it: two `plinth dev` in one folder would fight over one PostgreSQL. */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  await makeFolder(folder).catch((error: unknown) => {
    throw new CommandError(
      `The data folder ${folder} cannot be created (${errorCode(error)}). Choose another with --data-dir.`,
    );
  });
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw new CommandError(
      `This user cannot read and write the data folder ${folder}. Choose another with --data-dir.`,
    );
  });
  const file = join(folder, 'dev.pid');
  const claim = () => writeFile(file, String(process.pid), { flag: 'wx' });
  try {
    await claim();
  } catch {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isRunning(pid)) {
      throw new CommandError(
        `Another plinth dev (process ${pid}) is using ${folder}. Stop it, or choose another --data-dir.`,
      );
    }
    await rm(file, { force: true });
    await claim();
  }
  return () => rm(file, { force: true });
}

/** Node's own way of making a folder with those above it never ends where none can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The SECRET_KEY of this data folder. */
export async function secretOf(folder: string): Promise<string> {
  const file = join(folder, 'secret-key');
  if (existsSync(file)) return readFile(file, 'utf8');
  const secret = randomBytes(32).toString('base64');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}
