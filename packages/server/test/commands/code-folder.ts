import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ended, PlinthProcess } from '../support/nodes/plinth-process.ts';

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

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
