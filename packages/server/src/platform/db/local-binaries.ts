import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type * as postgresPackage from '@plinth/postgres';
import { errorCode } from '../error-code.ts';

/** PostgreSQL could not be started here; the message says what to do. */
export class LocalPostgresError extends Error {}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The PostgreSQL of the npm package, if that is installed beside this one. */
export async function findPackagedBinaries(from = '@plinth/postgres'): Promise<Binaries | undefined> {
  const found = await import(from).catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
  });
  if (!found) return undefined;
  const binaries = await (found as typeof postgresPackage).findBinaries();
  if (binaries) return binaries;
  throw new LocalPostgresError(
    `@plinth/postgres has no PostgreSQL for this machine (${process.platform}, ${process.arch}). ` +
      'Start one yourself and use: plinth dev --database-url postgres://…',
  );
}

export async function packagedBinaries(): Promise<Binaries> {
  const found = await findPackagedBinaries();
  if (!found) throw new LocalPostgresError('There is no PostgreSQL: @plinth/postgres is not installed.');
  return found;
}

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Whom the server runs as when we are root. */
export function systemUser(): SystemUser {
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }).toString());
  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
        stdio: 'pipe',
      });
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      throw new LocalPostgresError(
        'PostgreSQL does not run as root, and there is no user "postgres". Run as an ordinary user.',
      );
    }
  }
}

/** Only root can write there. */
const copiesOfRoot = '/var/cache/plinth';

/**
 * Binaries that the user of the server can run. In the home of root nobody else can: they are copied, once for each
 * version.
 */
export async function reachableBinaries(
  binaries: Binaries,
  user: SystemUser | undefined,
  copies = copiesOfRoot,
): Promise<Binaries> {
  if (!user || canRun(binaries.postgres, user)) return binaries;
  const home = dirname(dirname(binaries.postgres));
  const version = String(execFileSync(binaries.postgres, ['--version'])).replaceAll(/[^\w.]+/g, '-');
  const copy = join(copies, version.replace(/-$/, ''));
  try {
    if (!existsSync(copy)) await copyFolder(home, copy);
  } catch (error) {
    throw new LocalPostgresError(
      `PostgreSQL does not run as root, and the user "postgres" can neither reach ${home} nor be given a copy in ${copies} (${String(error)}). Run as an ordinary user, or install Plinth where everyone can read it.`,
    );
  }
  const copied = (file: string) => join(copy, relative(home, file));
  return { initdb: copied(binaries.initdb), postgres: copied(binaries.postgres) };
}

function canRun(file: string, user: SystemUser): boolean {
  try {
    execFileSync(file, ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The copy is there as a whole or not at all. */
async function copyFolder(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const half = await mkdtemp(join(folder, 'copying-'));
  try {
    await cp(from, half, { recursive: true, verbatimSymlinks: true });
    await chmod(half, 0o755);
    await rename(half, to).catch((error: unknown) => {
      // Somebody else was quicker.
      if (!existsSync(to)) throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}
