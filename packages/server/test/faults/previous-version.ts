import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** How many changes of the schema are looked at. */
const mostChanges = '50';
const migrations = 'packages/server/migrations';

/** The last commit with fewer migrations, all of which are still the same; undefined where the history does not reach it. */
export function findPreviousVersion(): string | undefined {
  try {
    const changes = git('rev-list', '-n', mostChanges, 'HEAD', '--', migrations).split('\n');
    const found = changes.find((commit) => isFollowed(`${commit}^`));
    return found === undefined ? undefined : git('rev-parse', `${found}^`);
  } catch {
    // A copy without its history, or with too little of it.
    return undefined;
  }
}

/** Has nothing happened to its migrations since, but that others were added? */
function isFollowed(commit: string): boolean {
  const since = git('diff', '--name-status', commit, 'HEAD', '--', migrations);
  return since !== '' && since.split('\n').every((line) => line.startsWith('A\t'));
}

/** The program of a commit, laid out in a folder; it uses the packages that are installed here. */
export function layOutVersion(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'archive.tar');
  git('archive', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@plinth'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@plinth') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const path of globSync('packages/*', { cwd: folder })) {
    symlinkSync(join(folder, path), join(modules, '@plinth', basename(path)));
    const own = join(root, path, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, path, 'node_modules'));
  }
  return join(folder, 'packages/server/bin/plinth.js');
}
