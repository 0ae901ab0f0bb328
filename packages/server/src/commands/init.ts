import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { version } from '../version.ts';
import { CommandError, UsageError } from './usage.ts';

const template = fileURLToPath(new URL('../../template/', import.meta.url));

/** npm leaves a file of this name out of packages. */
const renamed = new Map([['gitignore', '.gitignore']]);

/** `plinth init`: writes a small app to begin with. Nothing that is there is overwritten. */
export async function runInit(args: string[]): Promise<string> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  if (positionals.length > 1) throw new UsageError('Pass only one folder: plinth init [<folder>]');
  const folder = resolve(positionals[0] ?? '.');
  const files = await templateFiles();
  const taken = [...files.keys()].filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0)
    throw new CommandError(
      `${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'} already in ${folder}: nothing was written. Choose another folder: plinth init <folder>`,
    );
  const name = packageName(folder);
  for (const [file, source] of files) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, fill(await readFile(source, 'utf8'), name), { flag: 'wx' });
  }
  return nextSteps(folder, [...files.keys()]);
}

/** What is written, with where it comes from. */
async function templateFiles(): Promise<Map<string, string>> {
  const entries = await readdir(template, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }): [string, string] => {
      const source = join(parentPath, name);
      return [relative(template, join(parentPath, renamed.get(name) ?? name)), source];
    });
  return new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A new folder depends on this version of Plinth, and has the name of its folder. */
function fill(text: string, name: string): string {
  return text.replaceAll('my-app', name).replaceAll('"0.0.0"', `"${version}"`);
}

/** npm takes small letters, digits, and a few marks between them. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
  return name === '' ? 'my-app' : name;
}

function nextSteps(folder: string, files: readonly string[]): string {
  const way = relative(process.cwd(), folder);
  const shown = way.startsWith(`..${sep}`) ? folder : way;
  const enter = way === '' ? '' : `  cd ${/^[\w./@+-]+$/.test(shown) ? shown : JSON.stringify(shown)}\n`;
  return `Wrote ${files.join(', ')}.

Next:

${enter}  npm install
  npm run dev

And in a second terminal, to see the page:

${enter}  npm run page
`;
}
