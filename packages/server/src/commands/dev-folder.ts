import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  link,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
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
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    while (!(await putThere(own, file))) {
      const found = await textOf(file);
      if (isRunning(Number(found))) {
        throw new CommandError(
          `Another plinth dev (process ${found}) is using ${folder}. Stop it, or choose another --data-dir.`,
        );
      }
      await removeLeft(file, found);
    }
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(file, { force: true });
}

/** Gives a file another name, so that it is there with all its content at once. False: there is one of that name. */
async function putThere(file: string, name: string): Promise<boolean> {
  for (const put of [link, copyNew])
    try {
      await put(file, name);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      if (put === copyNew) throw error;
    }
  return false;
}

/** For file systems on which a file has one name only. */
const copyNew = (file: string, name: string) => copyFile(file, name, constants.COPYFILE_EXCL);

/** Removes what a process left that has ended, but not what another has put there since. */
async function removeLeft(file: string, left: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if ((await textOf(aside)) !== left) await putThere(aside, file);
  await rm(aside, { force: true });
}

const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');

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
