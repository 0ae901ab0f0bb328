import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { makeFunctionToken } from '../../../calls/gate/index.ts';
import type { Project } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { newRequestId } from '../../../platform/ids.ts';
import { upTo } from '../../../platform/up-to.ts';
import {
  type CodeRunner,
  type CodeSettings,
  type Files,
  type LogLine,
  NoSandbox,
  readAtMost,
  type SandboxAnswer,
  SandboxError,
  type Thrown,
} from '../sandbox/index.ts';
import type { ActiveCode, CodeDirectory } from './code-directory.ts';
import { readFiles } from './deployment-store.ts';
import type { FunctionRecord } from './function-record.ts';
import { unpackFiles } from './packed-files.ts';
import { longestLog, type RunLog } from './run-log.ts';
import type { Outcome } from './run-store.ts';
import { inSourceLines } from './source-lines.ts';

/** How long a function may run, in seconds, unless it says otherwise. */
const usualSeconds = { http: 30, hook: 60, schedule: 300, task: 300 };
/** A credential outlives its call by so much. */
const graceMs = 5000;
const keptMaps = 50;
/** Bytes of an answer that nobody looks at, which are read so that its connection can be used again. */
const mostUnread = 65_536;
/** Bytes of what a hook returns that runs before a write: no document is longer. */
const mostReturned = 2 * 1_048_576;

export interface RunDeps {
  readonly runner: CodeRunner;
  readonly directory: CodeDirectory;
  readonly runs: RunLog;
  readonly vault: Vault;
  readonly cells: Cells;
  readonly settingsOf: (project: Project) => Promise<CodeSettings>;
  readonly onRun?: (kind: string, outcome: Outcome, ms: number) => void;
}

/** What a function is run for. */
export interface RunInput {
  readonly kind: 'call' | 'event';
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable | Buffer | string | null;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly depth: number;
  readonly cause: string | null;
  readonly timeoutMs?: number;
}

type EventInput = { readonly payload: string } & Pick<RunInput, 'user' | 'depth' | 'cause' | 'timeoutMs'>;

/** Why a run has no answer. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly run: string;
  readonly outcome: Exclude<Outcome, 'ok'>;
  readonly thrown: Thrown | undefined;
  readonly seconds: number;

  constructor(
    message: string,
    { run, outcome, thrown, seconds }: Pick<RunFailure, 'run' | 'outcome' | 'thrown' | 'seconds'>,
  ) {
    super(message);
    this.run = run;
    this.outcome = outcome;
    this.thrown = thrown;
    this.seconds = seconds;
  }
}

/** Runs functions, and writes down how they ended. */
export class FunctionRuns {
  readonly #deps: RunDeps;
  readonly #maps = new LRUCache<string, Files>(upTo(keptMaps));

  constructor(deps: RunDeps) {
    this.#deps = deps;
  }

  find(project: Pick<Project, 'id' | 'cell'>): NowOrLater<ActiveCode | undefined> {
    return this.#deps.directory.active(project);
  }

  /** Runs one function of the version that is active. Throws a `RunFailure` if there is no answer. */
  async run(
    project: Project,
    active: ActiveCode,
    one: FunctionRecord,
    input: RunInput,
  ): Promise<SandboxAnswer & { readonly run: string }> {
    const run = newRequestId();
    const begun = Date.now();
    const seconds = one.options.timeoutSeconds ?? usualSeconds[one.kind];
    const deadlineMs = input.timeoutMs ?? seconds * 1000;
    const logs = new RunLines();
    const note = (outcome: Outcome, more: { status?: number; start?: string; error?: Thrown }) => {
      this.#deps.onRun?.(one.kind, outcome, Date.now() - begun);
      this.#deps.runs.note(project, {
        id: run,
        at: new Date(begun).toISOString(),
        function: one.name,
        version: active.version,
        kind: one.kind,
        outcome,
        status: more.status ?? null,
        ms: Date.now() - begun,
        start: more.start ?? null,
        error: more.error ?? null,
        logs: logs.lines,
        cause: input.cause,
      });
    };
    try {
      const answer = await this.#invoke(project, active, one, { input, deadlineMs, onLog: logs.add });
      answer.ended.then(
        () => note('ok', { status: answer.status, start: answer.start }),
        () => note('failed', { status: answer.status, start: answer.start }),
      );
      return { ...answer, run };
    } catch (error) {
      const { outcome, message, thrown } = await this.#explain(project, active, error);
      note(outcome, { ...(thrown && { error: thrown }) });
      throw new RunFailure(message, { run, outcome, thrown, seconds: deadlineMs / 1000 });
    }
  }

  /** Runs a hook, a schedule or a task with an event, as JSON. What it returns is not looked at. */
  async runEvent(
    project: Project,
    active: ActiveCode,
    one: FunctionRecord,
    input: EventInput,
  ): Promise<void> {
    const { body, ended } = await this.#runEvent(project, active, one, input);
    await readAtMost(body, mostUnread);
    await ended;
  }

  /** The same for a hook that is asked: what it returns, as JSON; undefined if it is too long, or breaks off. */
  async askEvent(
    project: Project,
    active: ActiveCode,
    one: FunctionRecord,
    input: EventInput,
  ): Promise<{ readonly text: string | undefined; readonly run: string }> {
    const { body, run } = await this.#runEvent(project, active, one, input);
    const text = await readAtMost(body, mostReturned).catch(() => undefined);
    return { text, run };
  }

  async #runEvent(
    project: Project,
    active: ActiveCode,
    one: FunctionRecord,
    { payload, ...more }: EventInput,
  ): Promise<SandboxAnswer & { readonly run: string }> {
    return this.run(project, active, one, {
      ...more,
      kind: 'event',
      method: 'POST',
      url: '',
      headers: { 'content-type': 'application/json' },
      body: payload,
    });
  }

  async #invoke(
    project: Project,
    active: ActiveCode,
    { file, name }: FunctionRecord,
    given: { input: RunInput; deadlineMs: number; onLog: (line: LogLine) => void },
  ): Promise<SandboxAnswer> {
    const { runner, directory, vault, settingsOf } = this.#deps;
    const { input, deadlineMs, onLog } = given;
    const [code, settings] = await Promise.all([directory.codeOf(project, active), settingsOf(project)]);
    const expiresAt = Date.now() + deadlineMs + graceMs;
    const token = makeFunctionToken(vault, { ref: project.ref, name, depth: input.depth, expiresAt });
    return runner.invoke({ ...input, code, settings, file, deadlineMs, token, onLog });
  }

  async #explain(
    project: Project,
    active: ActiveCode,
    error: unknown,
  ): Promise<{ outcome: Exclude<Outcome, 'ok'>; message: string; thrown: Thrown | undefined }> {
    if (error instanceof NoSandbox) return { outcome: 'off', message: error.message, thrown: undefined };
    if (!(error instanceof SandboxError)) throw error;
    const { reason, message, thrown } = error;
    if (!thrown) return { outcome: reason, message, thrown };
    // Without them the lines are those of the bundle: what has happened must not be hidden by what could not be read.
    const maps = await this.#mapsOf(project, active).catch(() => ({}));
    const explained = { ...thrown, stack: inSourceLines(thrown.stack, maps) };
    return { outcome: thrown.name === 'Refusal' ? 'refused' : reason, message, thrown: explained };
  }

  async #mapsOf(project: Project, { version, digest }: ActiveCode): Promise<Files> {
    const key = `${project.id} ${digest}`;
    const known = this.#maps.get(key);
    if (known) return known;
    const packed = await readFiles(this.#deps.cells.forProject(project), version, 'maps');
    const maps = packed ? await unpackFiles(packed) : {};
    this.#maps.set(key, maps);
    return maps;
  }
}

/** What a run prints, as much as is kept of it. */
class RunLines {
  readonly lines: LogLine[] = [];
  #bytes = 0;

  readonly add = (line: LogLine): void => {
    if (this.#bytes > longestLog) return;
    this.#bytes += line.text.length + 50;
    if (this.#bytes <= longestLog) this.lines.push(line);
    else
      this.lines.push({ ...line, level: 'warn', text: 'The rest of the log was dropped: it is too long.' });
  };
}
