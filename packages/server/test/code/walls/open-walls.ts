import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { chooseLauncher } from '../../../src/features/code/sandbox/choose-launcher.ts';
import type { ProcessDeps } from '../../../src/features/code/sandbox/code-process.ts';
import {
  type CodeRunner,
  digestOf,
  Egress,
  type LogLine,
  NodeDoor,
  PoolServer,
  RemoteSandbox,
  SandboxError,
} from '../../../src/features/code/sandbox/index.ts';
import type { Code, Invocation } from '../../../src/features/code/sandbox/invocation.ts';
import type { LauncherName } from '../../../src/features/code/sandbox/launchers/launcher.ts';
import { CodePool } from '../../../src/features/code/sandbox/pool.ts';
import { findPrograms, placePrograms } from '../../../src/features/code/sandbox/programs.ts';
import { readAtMost } from '../../../src/features/code/sandbox/read-at-most.ts';
import { poolSecret } from '../start-pool.ts';

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

/** A call of the function that a module exports. */
export const callOf = (code: Code): Invocation => ({
  code,
  settings: { epoch: '', values: {} },
  file: 'main.js',
  kind: 'call',
  method: 'POST',
  url: 'http://plinth.test/functions/main',
  headers: {},
  body: 'null',
  deadlineMs: 10_000,
  token: 'pfn_canary',
  onLog: () => {},
});

/** The sandbox behind one kind of wall, without a service around it. */
export class Walls {
  readonly runner: CodeRunner;
  readonly pool: CodePool;
  readonly base: string;
  readonly #close: () => Promise<void>;

  constructor({ runner, pool, base }: Pick<Walls, 'runner' | 'pool' | 'base'>, close: () => Promise<void>) {
    this.runner = runner;
    this.pool = pool;
    this.base = base;
    this.#close = close;
  }

  /** A version of a project's code, which is one module. */
  write(source: string, project = `p${randomBytes(4).toString('hex')}`) {
    const version = digestOf({ 'main.js': source });
    const folder = join(this.base, 'code', project, version);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main.js'), source);
    return { project, version, folder };
  }

  /** Calls the function that a module exports. */
  async run(source: string, { project, deadlineMs = 10_000, body, settings = {} }: RunOptions = {}) {
    const logs: LogLine[] = [];
    try {
      const answer = await this.runner.invoke({
        ...callOf(this.write(source, project)),
        settings: { epoch: JSON.stringify(settings), values: settings },
        body: JSON.stringify(body ?? null),
        deadlineMs,
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
    await this.runner.close();
    await this.#close();
    await rm(this.base, { recursive: true, force: true });
  }
}

/** Behind which walls code is attacked: those of the launchers, and one on another machine. */
export type WallName = LauncherName | 'remote';

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
  wall: WallName,
  { isBypassed = false, egress = new Egress({ allowed: '' }), memoryMb = 256, most = 20 }: WallsOptions = {},
): Promise<Walls | undefined> {
  const found = findPrograms();
  if (typeof found === 'string') throw new Error(found);
  const choice = wall === 'remote' ? 'bwrap' : wall;
  const door = new NodeDoor();
  const base = mkdtempSync(join(tmpdir(), 'plinth-'));
  chmodSync(base, 0o711);
  const deps: Omit<ProcessDeps, 'launcher'> = {
    base,
    limits: { heapMb: 96, memoryMb },
    connect: (socketPath) => new Pool('http://function.invalid', { socketPath, connections: 32 }),
    serve: (host, { token }, project, { request, response }) => {
      if (host === 'egress.invalid') void egress.serve(project, request, response);
      else if (wall === 'remote') void door.serve({ project, token }, request, response);
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
  const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
  const pool = new CodePool({ ...deps, launcher }, { most, blanks: 0, idleMs: 60_000 }, log);
  const here: CodeRunner = {
    invoke: (call) => pool.invoke(call),
    describe: (code, files) => pool.describe(code, files, 30_000),
    warm: (code) => pool.warm(code),
    close: () => pool.close(),
  };
  if (wall !== 'remote') return new Walls({ runner: here, pool, base }, () => egress.close());
  const server = new PoolServer({ runner: here, door, secret: poolSecret, log });
  const service = {
    serve: async (_asking: unknown, _request: unknown, response: ServerResponse) => void response.end('{}'),
  };
  const urls = await server.listen('127.0.0.1', 0);
  const runner = new RemoteSandbox({ urls, secret: poolSecret, service });
  return new Walls({ runner, pool, base }, async () => {
    await server.stop(1000);
    await pool.close();
    await egress.close();
  });
}
