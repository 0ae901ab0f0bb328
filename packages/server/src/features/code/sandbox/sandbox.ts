import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../platform/log.ts';
import { type Chosen, chooseLauncher, type SandboxChoice } from './choose-launcher.ts';
import type { ProcessDeps, ServeCode } from './code-process.ts';
import type { Egress } from './egress.ts';
import type { Code, Invocation, SandboxAnswer } from './invocation.ts';
import type { LauncherName, ProcessLimits } from './launchers/launcher.ts';
import { CodePool } from './pool.ts';
import type { PoolOptions } from './processes.ts';
import { findPrograms, placePrograms } from './programs.ts';
import type { ServiceDoor } from './service-calls.ts';

/** Runs the code of projects: in this process's own pool, or on machines that run nothing else. */
export interface CodeRunner {
  invoke(call: Invocation): Promise<SandboxAnswer>;
  /** Loads modules, and says what they are, as JSON. */
  describe(code: Code, files: readonly string[]): Promise<string>;
  /** Makes the first call of a version quick. */
  warm(code: Code): Promise<void>;
  close(): Promise<void>;
}

/** Which wall holds; or why there are no functions. */
export type SandboxStatus =
  | { readonly wall: LauncherName; readonly running: number; readonly blank: number }
  | { readonly wall: undefined; readonly reason: string };

/** Whoever asks for functions where there are none. */
export class NoSandbox extends Error {
  override readonly name = 'NoSandbox';
}

export interface SandboxOptions extends PoolOptions {
  readonly choice: SandboxChoice;
  readonly isDev: boolean;
  readonly limits: ProcessLimits;
}

export interface SandboxDeps {
  readonly egress: Egress;
  readonly service: ServiceDoor;
  readonly log: Log;
}

/** How long the modules of a deployment may take to load. @limit deploy_failed milliseconds */
const describeMs = 10_000;

interface Opened {
  readonly chosen: Chosen;
  readonly base: string | undefined;
  readonly pool: CodePool | undefined;
}

/** A pool of processes on this machine, which is opened by the first who needs it: until then it costs nothing. */
export class Sandbox implements CodeRunner {
  readonly #options: SandboxOptions;
  readonly #deps: SandboxDeps;
  #opened: Promise<Opened> | undefined;

  constructor(options: SandboxOptions, deps: SandboxDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  async invoke(call: Invocation): Promise<SandboxAnswer> {
    return (await this.#pool()).invoke(call);
  }

  async describe(code: Code, files: readonly string[]): Promise<string> {
    return (await this.#pool()).describe(code, files, describeMs);
  }

  async warm(code: Code): Promise<void> {
    await (await this.#pool()).warm(code);
  }

  async status(): Promise<SandboxStatus> {
    const { chosen, pool } = await this.#open();
    if (!chosen.launcher) return { wall: undefined, reason: chosen.reason };
    return { wall: chosen.launcher.name, ...(pool?.size ?? { running: 0, blank: 0 }) };
  }

  async close(): Promise<void> {
    if (!this.#opened) return;
    const { base, pool } = await this.#opened;
    await pool?.close();
    if (base !== undefined) await rm(base, { recursive: true, force: true });
  }

  async #pool(): Promise<CodePool> {
    const { chosen, pool } = await this.#open();
    if (!pool) throw new NoSandbox(chosen.launcher ? 'The sandbox is closed.' : chosen.reason);
    return pool;
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#prepare();
    return this.#opened;
  }

  async #prepare(): Promise<Opened> {
    const { choice, isDev, limits } = this.#options;
    const { log } = this.#deps;
    const found = findPrograms();
    const none = (reason: string): Opened => ({
      chosen: { launcher: undefined, reason },
      base: undefined,
      pool: undefined,
    });
    if (choice === 'off') return none('FUNCTIONS_SANDBOX is off.');
    if (typeof found === 'string') return none(found);
    // Short, since the path of a socket has at most 108 bytes; others may pass through, and read nothing.
    const base = mkdtempSync(join(tmpdir(), 'plinth-'));
    chmodSync(base, 0o711);
    const { Pool } = await import('undici');
    const deps: Omit<ProcessDeps, 'launcher'> = {
      base,
      limits,
      serve: this.#serve(),
      connect: (socketPath) =>
        new Pool('http://function.invalid', {
          socketPath,
          connections: 32,
          pipelining: 1,
          keepAliveTimeout: 600_000,
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    };
    const chosen = await chooseLauncher({ choice, isDev, programs: placePrograms(found, base) }, deps);
    if (!chosen.launcher) {
      log.warn({ reason: chosen.reason }, 'functions are off');
      return { chosen, base, pool: undefined };
    }
    log.info({ wall: chosen.launcher.name }, 'functions run in a sandbox');
    return { chosen, base, pool: new CodePool({ ...deps, launcher: chosen.launcher }, this.#options, log) };
  }

  #serve(): ServeCode {
    const { egress, service } = this.#deps;
    return (host, { token }, project, { request, response }) => {
      if (host === 'egress.invalid') void egress.serve(project, request, response);
      else if (host === 'service.invalid') void service.serve({ project, token }, request, response);
      else response.writeHead(404).end();
    };
  }
}
