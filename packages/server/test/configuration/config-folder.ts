import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ended, PlinthProcess } from '../support/nodes/plinth-process.ts';

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

/** A folder in which somebody works with `plinth pull`, `diff`, `push` and `test`. */
export class ConfigFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<ConfigFolder> {
    return new ConfigFolder(await mkdtemp(join(tmpdir(), 'plinth-config-')));
  }

  start({ url, apiKey }: Target, ...args: string[]): PlinthProcess {
    return new PlinthProcess(args, { PLINTH_URL: url, PLINTH_API_KEY: apiKey }, this.path);
  }

  async run(target: Target, ...args: string[]): Promise<Ended> {
    return this.start(target, ...args).ended;
  }

  async write(file: string, content: string | object): Promise<void> {
    const path = join(this.path, 'plinth', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.path, 'plinth', file), { recursive: true });
  }

  async files(): Promise<Record<string, string>> {
    return readFiles(join(this.path, 'plinth'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Every file of a folder and what is in it. */
export async function readFiles(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files: Record<string, string> = {};
  for (const path of paths.toSorted()) files[path.slice(root.length + 1)] = await readFile(path, 'utf8');
  return files;
}
