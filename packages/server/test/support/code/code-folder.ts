import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../markdown.ts';
import { type Ended, PlinthProcess } from '../nodes/plinth-process.ts';

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'],
  types: ['node'],
  customConditions: ['@plinth/source'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/** A folder in which somebody writes functions. */
export class CodeFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** A folder with these files. */
  static async make(files: Readonly<Record<string, string>> = {}): Promise<CodeFolder> {
    const folder = new CodeFolder(await mkdtemp(join(tmpdir(), 'plinth-code-')));
    for (const [file, text] of Object.entries(files)) await folder.write(file, text);
    return folder;
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.path, file), { recursive: true });
  }

  /** The packages of this repository, as if they were installed. */
  async install(): Promise<void> {
    await symlink(join(repository, 'node_modules'), join(this.path, 'node_modules'));
  }

  /** What the compiler finds wrong in the functions. */
  async checkTypes(): Promise<string> {
    await this.install();
    await this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['functions'] }));
    const tsc = join(repository, 'node_modules/.bin/tsc');
    return spawnSync(tsc, ['-p', this.path], { encoding: 'utf8' }).stdout;
  }

  /** `plinth functions …` in the folder. */
  start({ url, apiKey }: Target, ...args: string[]): PlinthProcess {
    const environment = { PLINTH_URL: url, PLINTH_API_KEY: apiKey };
    return new PlinthProcess(['functions', ...args], environment, this.path);
  }

  async run(target: Target, ...args: string[]): Promise<Ended> {
    return this.start(target, ...args).ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
