import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestApp } from '../test-app.ts';

/** Taking the types out of a thousand files is half of what a start costs: processes of tests share it. */
export const compileCache = join(tmpdir(), 'plinth-test-compiled');

/** What `testApp` gives nodes, too: a busy machine may take seconds to make a connection. */
export const patience = {
  DATABASE_CONNECT_TIMEOUT_MS: '60000',
  QUERY_TIMEOUT_MS: '60000',
  STATEMENT_TIMEOUT_MS: '60000',
};

const ownProgram = fileURLToPath(new URL('../../../bin/plinth.js', import.meta.url));

export interface Ended {
  /** The exit code; null: ended by the signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as people run it: a process of its own, with nothing of this one's environment. */
export class PlinthProcess implements AsyncDisposable {
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  /** `program`: that of another version. */
  constructor(
    args: readonly string[],
    environment: Record<string, string> = {},
    cwd = process.cwd(),
    program = ownProgram,
  ) {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: '--conditions=@plinth/source',
        NODE_COMPILE_CACHE: compileCache,
        SECRET_KEY: 'a-secret-for-tests,-long-enough-to-be-one',
        FILES_FOLDER: join(tmpdir(), 'plinth-test-files'),
        ...patience,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async stop(name: NodeJS.Signals): Promise<Ended> {
    this.signal(name);
    return this.ended;
  }

  /** Waits for output that has the form, and gives its first group. */
  async untilPrinted(stream: 'stdout' | 'stderr', form: RegExp): Promise<string> {
    const source = this.#child[stream]!;
    for (;;) {
      const found = form.exec(this[stream]);
      if (found) return found[1] ?? found[0];
      const isOver = await Promise.race([
        once(source, 'data').then(() => false),
        this.ended.then(() => true),
      ]);
      if (isOver) throw new Error(`It ended without printing ${form}:\n${this.stderr}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) this.signal('SIGKILL');
    await this.ended;
  }
}

export async function runPlinth(
  args: readonly string[],
  environment: Record<string, string> = {},
  program?: string,
): Promise<Ended> {
  return new PlinthProcess(args, environment, undefined, program).ended;
}

/** A node started with `plinth start`, once it answers. */
export async function startNode(
  environment: Record<string, string>,
  args: readonly string[] = [],
  program?: string,
): Promise<{ process: PlinthProcess; url: string }> {
  const settings = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ADDRESS_RATE_LIMIT: '1000000' };
  const all = { ...settings, ...environment };
  const process = new PlinthProcess(['start', ...args], all, undefined, program);
  const url = await process.untilPrinted('stderr', /"Server listening at (http:[^"]+)"/);
  return { process, url };
}

/** A node of its own on the databases of a test, with limits that no test meets by chance. */
export async function startNodeOf(
  { config }: TestApp,
  environment: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<{ process: PlinthProcess; url: string }> {
  const { DATABASE_URL, CELL_DATABASE_URLS, SECRET_KEY } = config;
  const storage = Object.entries(config).filter(
    ([name]) => name === 'FILES_FOLDER' || name.startsWith('S3_'),
  );
  const generous = { AUTH_ADDRESS_LIMIT: '1000000', AUTH_ACCOUNT_LIMIT: '1000000', SHUTDOWN_DELAY_MS: '0' };
  const files = { FILES_FOLDER: '', ...Object.fromEntries(storage) };
  const all = { DATABASE_URL, CELL_DATABASE_URLS, SECRET_KEY, ...files, ...generous, ...environment };
  return startNode(all, args);
}
