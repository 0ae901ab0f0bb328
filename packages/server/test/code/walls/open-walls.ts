import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { chooseLauncher } from '../../../src/features/code/sandbox/choose-launcher.ts';
import type { ProcessDeps } from '../../../src/features/code/sandbox/code-process.ts';
import { Egress, type LogLine, SandboxError } from '../../../src/features/code/sandbox/index.ts';
import type { LauncherName } from '../../../src/features/code/sandbox/launchers/launcher.ts';
import { CodePool } from '../../../src/features/code/sandbox/pool.ts';
import { findPrograms, placePrograms } from '../../../src/features/code/sandbox/programs.ts';
import { readAtMost } from '../../../src/features/code/sandbox/read-at-most.ts';

interface Outcome {
  readonly value?: unknown;
  readonly failure?: string;
  readonly message?: string;
  readonly logs: readonly LogLine[];
}

interface RunOptions {
  readonly project?: string;
  readonly deadlineMs?: number;
  readonly body?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The sandbox behind one kind of wall, without a service around it. */
export class Walls {
  readonly pool: CodePool;
  readonly base: string;
  readonly #egress: Egress;

  constructor(pool: CodePool, base: string, egress: Egress) {
    this.pool = pool;
    this.base = base;
    this.#egress = egress;
  }

  /** A version of a project's code, which is one module. */
  write(source: string, project = `p${randomBytes(4).toString('hex')}`) {
    const folder = join(this.base, 'code', project);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main.js'), source);
    return { project, version: '1', folder };
  }

  /** Calls the function that a module exports. */
  async run(source: string, { project, deadlineMs = 10_000, body, settings = {} }: RunOptions = {}) {
    const logs: LogLine[] = [];
    try {
      const answer = await this.pool.invoke({
        code: this.write(source, project),
        settings: { epoch: JSON.stringify(settings), values: settings },
        file: 'main.js',
        kind: 'call',
        method: 'POST',
        url: 'http://plinth.test/functions/main',
        headers: {},
        body: JSON.stringify(body ?? null),
        deadlineMs,
        token: 'pfn_canary',
        onLog: (line) => logs.push(line),
      });
      const value = (await readAtMost(answer.body, 1_048_576)) ?? '';
      await answer.ended;
      return { value: answer.isValue ? JSON.parse(value) : value, logs } satisfies Outcome as Outcome;
    } catch (error) {
      const failure = error instanceof SandboxError ? error.reason : 'error';
      return { failure, message: String(error), logs } satisfies Outcome as Outcome;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
    await this.#egress.close();
    await rm(this.base, { recursive: true, force: true });
  }
}

interface WallsOptions {
  /** As if Deno's own checks had been got around. */
  readonly isBypassed?: boolean;
  readonly egress?: Egress;
  readonly memoryMb?: number;
  /** Processes. */
  readonly most?: number;
}

/** Undefined where this machine cannot start it; then the output says why. */
export async function openWalls(
  choice: LauncherName,
  { isBypassed = false, egress = new Egress({ allowed: '' }), memoryMb = 256, most = 20 }: WallsOptions = {},
): Promise<Walls | undefined> {
  const found = findPrograms();
  if (typeof found === 'string') throw new Error(found);
  const base = mkdtempSync(join(tmpdir(), 'plinth-'));
  chmodSync(base, 0o711);
  const deps: Omit<ProcessDeps, 'launcher'> = {
    base,
    limits: { heapMb: 96, memoryMb },
    connect: (socketPath) => new Pool('http://function.invalid', { socketPath, connections: 32 }),
    serve: (host, _call, project, { request, response }) => {
      if (host === 'egress.invalid') void egress.serve(project, request, response);
      else response.end('{}');
    },
  };
  const programs = { ...placePrograms(found, base), ...(isBypassed && { isBypassed: true as const }) };
  const { launcher, ...none } = await chooseLauncher({ choice, isDev: false, programs }, deps);
  if (!launcher) {
    process.stdout.write(`skipped: ${choice} cannot be started here: ${JSON.stringify(none)}\n`);
    await rm(base, { recursive: true, force: true });
    return undefined;
  }
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const options = { most, blanks: 0, idleMs: 60_000 };
  return new Walls(new CodePool({ ...deps, launcher }, options, quiet as never), base, egress);
}
