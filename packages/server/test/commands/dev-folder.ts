import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, PlinthProcess } from '../support/nodes/plinth-process.ts';

export interface DevLine {
  readonly baseUrl: string;
  readonly projectUrl: string;
  readonly dashboardUrl: string;
  readonly projectRef: string;
  readonly apiKey: string;
}

/** On a busy machine any request or ping may be slow, and would be printed between what is compared. */
const quiet = { SLOW_CALL_MS: '0', LOG_LEVEL: 'error' };

/** A folder for `plinth dev`, and the processes that work in it. */
export class DevFolder implements AsyncDisposable {
  readonly path: string;
  readonly #processes: PlinthProcess[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<DevFolder> {
    const path = await mkdtemp(join(tmpdir(), 'plinth-dev-'));
    return new DevFolder(path);
  }

  /** `plinth dev` on a free port. */
  run(...args: string[]): PlinthProcess {
    const port = args.includes('--port') ? [] : ['--port', '0'];
    const process = new PlinthProcess(['dev', '--data-dir', this.path, ...port, ...args], quiet);
    this.#processes.push(process);
    return process;
  }

  /** Starts it and waits until it answers. */
  async start(...args: string[]): Promise<{ process: PlinthProcess; line: DevLine }> {
    const process = this.run('--json', ...args);
    return { process, line: JSON.parse(await process.untilPrinted('stdout', /^(.+)\n/)) };
  }

  /** The process of this folder's PostgreSQL, as its own file says; undefined: it left none. */
  postgresPid(): number | undefined {
    const file = join(this.path, 'postgres', 'cluster', 'postmaster.pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : 0;
    // The file is there a moment before its content.
    return pid > 0 ? pid : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((process): Promise<Ended> => process.stop('SIGKILL')));
    const pid = this.postgresPid();
    if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGKILL');
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A process that has ended stays in the list until its parent asks for it; that is not running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}
