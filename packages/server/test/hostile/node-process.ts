import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type PlinthProcess, startNodeOf } from '../support/nodes/plinth-process.ts';
import type { TestApp } from '../support/test-app.ts';

/** Of V8: what an attack may fill before the process ends. */
const heapMb = 1024;
const sampleEveryMs = 50;

const watchFromWithin = fileURLToPath(new URL('./watch-from-within.ts', import.meta.url));

/** A node as operators run it, with the limits that are the default, and little memory. */
export class NodeProcess implements AsyncDisposable {
  readonly url: string;
  readonly #process: PlinthProcess;
  readonly #sampling: NodeJS.Timeout;
  #reports = 0;
  #peakMb = 0;

  private constructor(process: PlinthProcess, url: string) {
    this.#process = process;
    this.url = url;
    this.#sampling = setInterval(() => void this.#sample(), sampleEveryMs);
  }

  /** `loads`: modules that are loaded before the service, such as a planted bug. */
  static async start(
    t: TestApp,
    settings: Record<string, string>,
    loads: readonly string[] = [],
  ): Promise<NodeProcess> {
    const imports = [watchFromWithin, ...loads].map((path) => `--import=${path}`);
    const { process, url } = await startNodeOf(t, {
      NODE_OPTIONS: ['--conditions=@plinth/source', `--max-old-space-size=${heapMb}`, ...imports].join(' '),
      DATABASE_CONNECT_TIMEOUT_MS: '2000',
      QUERY_TIMEOUT_MS: '3000',
      STATEMENT_TIMEOUT_MS: '10000',
      ADDRESS_RATE_LIMIT: '1000',
      AUTH_ADDRESS_LIMIT: '60',
      AUTH_ACCOUNT_LIMIT: '10',
      ...settings,
    });
    return new NodeProcess(process, url);
  }

  /** Why it is no longer there; undefined: it is. */
  get crash(): string | undefined {
    if (this.#process.isRunning) return undefined;
    return this.#process.stderr.trimEnd().split('\n').slice(-30).join('\n') || 'It said nothing.';
  }

  /** Has it collect its garbage, and gives how long its event loop was held up at most since the last time. */
  async settle(): Promise<number> {
    const number = (this.#reports += 1);
    this.#process.signal('SIGUSR2');
    const form = new RegExp(`^report ${number}: held up for (\\d+) ms$`, 'm');
    const held = Number(await this.#process.untilPrinted('stdout', form));
    // It answers again when the garbage is gone.
    await fetch(`${this.url}/healthz`);
    return held;
  }

  /** What of its memory is in the machine's: now, or the most since this was last asked. */
  async takePeakMb(which: 'now' | 'most' = 'most'): Promise<number> {
    if (which === 'now') this.#peakMb = 0;
    await this.#sample();
    const peak = this.#peakMb;
    this.#peakMb = 0;
    return peak;
  }

  async #sample(): Promise<void> {
    const status = await readFile(`/proc/${this.#process.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    this.#peakMb = Math.max(this.#peakMb, kilobytes / 1024);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sampling);
    await this.#process[Symbol.asyncDispose]();
  }
}
