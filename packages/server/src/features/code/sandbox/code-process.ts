import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatcher, Pool } from 'undici';
import { guarded } from '../../../platform/guarded.ts';
import { type Exchange, listenToCode, refuseToAnswer } from './host-socket.ts';
import type { Code, CodeSettings, LogLine } from './invocation.ts';
import type { Launched, Launcher, ProcessLimits } from './launchers/launcher.ts';
import { readOutput, readSlowly } from './process-output.ts';
import { readAtMost } from './read-at-most.ts';

/** A call that a process works on. */
export interface LiveCall {
  readonly id: string;
  readonly token: string;
  readonly onLog: (line: LogLine) => void;
}

/** Answers what the code asks of the world and of the service. */
export type ServeCode = (
  host: string | undefined,
  call: LiveCall,
  project: string,
  exchange: Exchange,
) => void;

export interface ProcessDeps {
  /** Where the folders of processes are. */
  readonly base: string;
  readonly launcher: Launcher;
  readonly limits: ProcessLimits;
  readonly connect: (socket: string) => Pool;
  readonly serve: ServeCode;
}

/** Bytes of what a process says when it dies. */
const lastWordsBytes = 4000;
/** Bytes of what a process answers to what is not a call. */
const mostToldBytes = 4 * 1_048_576;

/** One process that runs a project's code: blank until it is given some. */
export class CodeProcess {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #launched: Launched;
  readonly #host: Disposable;
  readonly #http: Pool;
  #epoch: string | undefined;
  /** When something was last put into the folder of the sockets, or taken out. */
  #runChangedAt: bigint | undefined;
  #lastWords = '';
  #why: string | undefined;
  /** Calls that may ask for something. */
  readonly live = new Map<string, LiveCall>();
  /** Calls whose last line of the log has not come yet. */
  readonly #unfinished = new Map<
    string,
    { readonly onLog: LiveCall['onLog']; readonly onDone: () => void }
  >();
  readonly ready: Promise<void>;
  /** Resolves with how it ended. */
  readonly gone: Promise<string>;
  code: Code | undefined;
  inFlight = 0;
  lastUsed = performance.now();
  isGone = false;
  isPaused = false;
  /** So many times it is being found out whether it still answers. */
  doubts = 0;
  /** When it last answered something that is not a call. */
  heardAt = Number.NEGATIVE_INFINITY;

  constructor({ base, launcher, limits, connect, serve }: ProcessDeps) {
    this.#folder = join(base, randomBytes(6).toString('hex'));
    for (const part of ['run', 'fn']) mkdirSync(join(this.#folder, part), { recursive: true, mode: 0o755 });
    this.#host = listenToCode(join(this.#folder, 'run/h.sock'), {
      onAsked: (exchange) => this.#answer(serve, exchange),
      onTooMuch: (why) => this.kill(why),
    });
    this.#launched = launcher.launch(this.#folder, limits);
    this.#child = this.#launched.child;
    this.#http = connect(join(this.#folder, 'r.sock'));
    const ready = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<string>();
    this.ready = ready.promise;
    this.ready.catch(() => {});
    this.gone = gone.promise;
    this.#read(() => {
      this.#pinSocket();
      ready.resolve();
    });
    const end = guarded(
      () => {},
      async (how: unknown, signal?: unknown) => {
        if (this.isGone) return;
        this.isGone = true;
        const words = how instanceof Error ? how.message : `it ended with ${String(signal ?? how)}`;
        const why = this.#why ?? (this.#isOutOfMemory() ? 'out of memory' : words);
        ready.reject(new Error(`${why}. ${this.#lastWords}`.trim()));
        gone.resolve(why);
        await this.#clear();
      },
    );
    this.#child.once('error', end);
    this.#child.once('exit', end);
  }

  get pid(): number | undefined {
    return this.#launched.pid();
  }

  /** It was ended, though it may not be gone yet. */
  get isEnding(): boolean {
    return this.isGone || this.#why !== undefined;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.#unfinished.size === 0;
  }

  /** Resolves when the code has done all that belongs to the call, and all that it has printed was read. */
  begin(call: LiveCall): Promise<void> {
    this.live.set(call.id, call);
    return new Promise((resolve) => {
      const onDone = () => {
        this.#unfinished.delete(call.id);
        resolve();
      };
      this.#unfinished.set(call.id, { onLog: call.onLog, onDone });
    });
  }

  /** Nothing more is expected of the call. */
  forget(id: string): void {
    this.live.delete(id);
    this.#unfinished.get(id)?.onDone();
  }

  /** Puts code where the process can read it. */
  adopt(code: Code): void {
    this.code = code;
    for (const file of readdirSync(code.folder)) {
      const from = join(code.folder, file);
      const to = join(this.#folder, 'fn', file);
      try {
        linkSync(from, to);
      } catch {
        copyFileSync(from, to);
      }
    }
  }

  /** The settings count from the next call on. */
  async settle({ epoch, values }: CodeSettings): Promise<void> {
    if (this.#epoch === epoch) return;
    await this.tell('/config', JSON.stringify(values));
    this.#epoch = epoch;
  }

  request(options: Omit<Dispatcher.RequestOptions, 'origin'>): Promise<Dispatcher.ResponseData> {
    return this.#http.request(options);
  }

  /** Says something that is not a call; resolves with the answer. */
  async tell(path: string, body = ''): Promise<string> {
    const answer = await this.request({ path, method: 'POST', body });
    this.heardAt = performance.now();
    const told = await readAtMost(answer.body, mostToldBytes);
    // The code can put itself in the place of the runner, and never stop.
    if (told === undefined) this.kill('it said too much');
    return told ?? '';
  }

  /** Bytes that only this process has, shared memory of its own among them. */
  memory(): number {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, 'latin1');
      const kilobytes = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024;
    } catch {
      return 0;
    }
  }

  /** The folder of the sockets is the only place on disk that a process can write to, and nothing is to be written there. */
  get hasWritten(): boolean {
    return this.#runChangedAt !== undefined && this.#runChangedAt !== this.#changedAt();
  }

  kill(why: string): void {
    if (this.isEnding) return;
    this.#why = why;
    this.#signal('SIGKILL');
    this.#child.kill('SIGKILL');
    this.#launched.destroy?.();
  }

  /** What does nothing shall not wake up for its timers either. */
  pause(): void {
    if (!this.isPaused) this.#signal('SIGSTOP');
    this.isPaused = true;
  }

  resume(): void {
    if (this.isPaused) this.#signal('SIGCONT');
    this.isPaused = false;
  }

  #signal(name: NodeJS.Signals): void {
    const { pid } = this;
    if (pid === undefined) return;
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended.
    }
  }

  #answer(serve: ServeCode, exchange: Exchange): void {
    const call = this.live.get(String(exchange.request.headers['x-plinth-call']));
    if (call && this.code) serve(exchange.request.headers.host, call, this.code.project, exchange);
    else refuseToAnswer(exchange);
  }

  /**
   * Gives the socket a second name where the process cannot reach it, before any code runs. Code that got around Deno could
   * put a link in its place that leads to a socket of another project, and our calls would go there.
   */
  #pinSocket(): void {
    if (this.#runChangedAt !== undefined) return;
    // Elsewhere sockets have no second names, and there are no walls either.
    const name = process.platform === 'linux' ? linkSync : symlinkSync;
    name(join(this.#folder, 'run/r.sock'), join(this.#folder, 'r.sock'));
    this.#runChangedAt = this.#changedAt();
  }

  #changedAt(): bigint {
    return statSync(join(this.#folder, 'run'), { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? 0n;
  }

  #read(onReady: () => void): void {
    const { stdout, stderr } = this.#child;
    if (!stdout || !stderr) throw new Error('A process without output was started.');
    readOutput(stdout, {
      onReady,
      onLine: (line, call) => {
        if (call !== undefined) return this.#unfinished.get(call)?.onLog(line);
        // Printed while a module was loaded: it belongs to the call that needed it.
        for (const { onLog } of this.#unfinished.values()) return onLog(line);
      },
      onDone: (call) => this.#unfinished.get(call)?.onDone(),
    });
    readSlowly(stderr);
    stderr.setEncoding('utf8').on(
      'data',
      guarded(
        () => {},
        (text: string) => {
          this.#lastWords = (this.#lastWords + text).slice(-lastWordsBytes);
        },
      ),
    );
  }

  #isOutOfMemory(): boolean {
    return /out of memory/i.test(this.#lastWords);
  }

  async #clear(): Promise<void> {
    this.#host[Symbol.dispose]();
    await this.#http.destroy().catch(() => {});
    for (const { onDone } of this.#unfinished.values()) onDone();
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
  }
}
