import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import type { Log } from '../../../platform/log.ts';
import { CodeProcess, type ProcessDeps } from './code-process.ts';
import { type Code, SandboxError, type Start } from './invocation.ts';
import { ProcessLines } from './process-lines.ts';
import { ProcessWatch } from './process-watch.ts';

export interface PoolOptions {
  /** Processes that hold code. */
  readonly most: number;
  /** Processes that wait for code, once there was any. */
  readonly blanks: number;
  /** How long a process that nobody calls is kept. */
  readonly idleMs: number;
}

/** Concurrent calls in one function process. @limit - */
const callsAtOnce = 20;
/** Processes of one version of a project’s functions. @limit - */
const mostOfVersion = 4;
/** Calls of one version waiting for a process. @limit function_busy */
const mostWaiting = 200;

/** Keeps processes for the versions that are called, and blank ones for those that will be. */
export class Processes {
  readonly #deps: ProcessDeps;
  readonly #options: PoolOptions;
  readonly #log: Log;
  readonly #byCode = new Map<string, Set<CodeProcess>>();
  /** Versions whose first process waits for a place. */
  readonly #beginning = new Set<string>();
  readonly #blanks: CodeProcess[] = [];
  /** Those that load a deployment to see what it is. */
  readonly #apart = new Set<CodeProcess>();
  readonly #places: FairSemaphore;
  readonly #lines = new ProcessLines(mostWaiting);
  readonly #watch: ProcessWatch;
  /** Who waits for the place of a process. */
  #wanted = 0;
  #filling: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: ProcessDeps, options: PoolOptions, log: Log) {
    this.#deps = deps;
    this.#options = options;
    this.#log = log;
    this.#places = new FairSemaphore(options.most, Math.max(1, Math.ceil(options.most / 4)), mostWaiting);
    this.#watch = new ProcessWatch(
      {
        memoryMb: deps.limits.memoryMb,
        idleMs: options.idleMs,
        running: () => this.#running(),
        apart: () => this.#apart,
        drop: (process, why) => this.#drop(process, why),
      },
      log,
    );
  }

  /** Processes with code, and blank ones. */
  get size(): { readonly running: number; readonly blank: number } {
    return { running: this.#running().length, blank: this.#blanks.length };
  }

  /** A process with a free place: one that has the code, else a blank one, else a new one. */
  async take(code: Code, deadline: number): Promise<{ found: CodeProcess; start: Start }> {
    const key = keyOf(code);
    for (;;) {
      if (this.#isClosed) throw new SandboxError('busy', 'The service is stopping.');
      const own = this.#byCode.get(key);
      const free = leastBusy(own);
      if (free) return { found: await this.#use(free), start: 'warm' };
      if (!own && !this.#beginning.has(key)) return this.#beginFirst(code, deadline);
      const begun = own && own.size < mostOfVersion ? await this.#begin(code, 0) : undefined;
      if (begun) return begun;
      // Meanwhile one may have a place again, or all may have gone: then nobody would call it out of the line.
      const isToWait =
        this.#beginning.has(key) || (this.#byCode.has(key) && !leastBusy(this.#byCode.get(key)));
      if (isToWait) await this.#lines.wait(key, deadline - performance.now());
    }
  }

  /** Gives the place back that `take` gave. */
  release(process: CodeProcess): void {
    process.inFlight -= 1;
    process.lastUsed = performance.now();
    if (process.code) this.#lines.wake(keyOf(process.code));
    this.makeRoom();
  }

  /** Does something with a new process that holds the code and answers no calls. */
  async apart<Result>(
    code: Code,
    longestMs: number,
    work: (process: CodeProcess) => Promise<Result>,
  ): Promise<Result> {
    const leave = await this.#enter(code.project, longestMs);
    if (!leave) throw new SandboxError('busy', 'Too many processes are being started.');
    const one = this.#start(leave);
    this.#apart.add(one);
    this.#tend();
    try {
      adopt(one, code);
      return await work(one);
    } finally {
      this.#apart.delete(one);
      one.kill('described');
      leave();
    }
  }

  /** Whoever was called longest ago goes first. */
  makeRoom(): void {
    if (this.#wanted === 0) return;
    const running = this.#running().filter(({ isEnding }) => !isEnding);
    const free = this.#options.most - running.length - this.#apart.size;
    if (this.#wanted <= free) return;
    const idle = running.filter(({ isIdle }) => isIdle).toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
    if (idle) this.#drop(idle, 'another needed its place');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.stop();
    await this.#filling?.catch(() => {});
    const all = [...this.#running(), ...this.#blanks, ...this.#apart];
    for (const each of all) each.kill('the service stops');
    await Promise.all(all.map((each) => each.gone));
  }

  #running(): CodeProcess[] {
    return [...this.#byCode.values()].flatMap((processes) => [...processes]);
  }

  async #use(process: CodeProcess): Promise<CodeProcess> {
    process.inFlight += 1;
    process.lastUsed = performance.now();
    process.resume();
    await readied(process);
    return process;
  }

  /** Others who want the version wait for its first process, and not for further places. */
  async #beginFirst(code: Code, deadline: number): Promise<{ found: CodeProcess; start: Start }> {
    const key = keyOf(code);
    this.#beginning.add(key);
    try {
      const begun = await this.#begin(code, deadline - performance.now());
      if (begun) return begun;
      throw new SandboxError('busy', 'This node has reached its limit of function processes.');
    } finally {
      this.#beginning.delete(key);
      this.#lines.wake(key, callsAtOnce);
    }
  }

  /** Undefined: there was no place for another process. */
  async #begin(code: Code, longestWaitMs: number): Promise<{ found: CodeProcess; start: Start } | undefined> {
    const leave = await this.#enter(code.project, longestWaitMs);
    if (!leave) return undefined;
    const key = keyOf(code);
    const blank = this.#blanks.shift();
    const found = blank ?? this.#start(leave);
    const own = this.#byCode.get(key) ?? new Set();
    this.#byCode.set(key, own.add(found));
    void found.gone.finally(() => {
      this.#forget(key, found);
      leave();
      this.#lines.wake(key);
    });
    found.inFlight += 1;
    try {
      adopt(found, code);
    } catch (error) {
      this.#drop(found, 'its code is gone');
      throw error;
    }
    this.#tend();
    await readied(found);
    return { found, start: blank ? 'blank' : 'cold' };
  }

  /** A place for one more process; undefined if there was none for so long. */
  async #enter(project: string, longestMs: number): Promise<(() => void) | undefined> {
    this.#wanted += 1;
    try {
      this.makeRoom();
      return await this.#places.enter(project, Math.max(0, longestMs));
    } finally {
      this.#wanted -= 1;
    }
  }

  /** If that fails, its place is left. */
  #start(leave: () => void): CodeProcess {
    try {
      return new CodeProcess(this.#deps);
    } catch (error) {
      leave();
      throw new SandboxError('crashed', `The process could not be started: ${(error as Error).message}`);
    }
  }

  #drop(process: CodeProcess, why: string): void {
    if (process.code) this.#forget(keyOf(process.code), process);
    process.kill(why);
  }

  /** No further call finds it. */
  #forget(key: string, process: CodeProcess): void {
    const own = this.#byCode.get(key);
    own?.delete(process);
    if (own?.size === 0) this.#byCode.delete(key);
  }

  /** Begins to look after the processes, once there are any. */
  #tend(): void {
    this.#watch.start();
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  async #fill(): Promise<void> {
    while (!this.#isClosed && this.#blanks.length < this.#options.blanks) {
      const blank = new CodeProcess(this.#deps);
      try {
        await blank.ready;
      } catch (error) {
        this.#log.error({ err: error }, 'a process for functions could not be started');
        return;
      }
      if (this.#isClosed) return blank.kill('the service stops');
      this.#blanks.push(blank);
      void blank.gone.finally(() => {
        const at = this.#blanks.indexOf(blank);
        if (at !== -1) this.#blanks.splice(at, 1);
      });
    }
  }
}

const keyOf = ({ project, version }: Code): string => `${project}/${version}`;

function adopt(process: CodeProcess, code: Code): void {
  try {
    process.adopt(code);
  } catch (error) {
    throw new SandboxError('crashed', `The code could not be read: ${(error as Error).message}`);
  }
}

async function readied(process: CodeProcess): Promise<void> {
  try {
    await process.ready;
  } catch (error) {
    process.inFlight -= 1;
    throw new SandboxError('crashed', `The process could not be started: ${(error as Error).message}`);
  }
}

function leastBusy(processes: ReadonlySet<CodeProcess> | undefined): CodeProcess | undefined {
  let best: CodeProcess | undefined;
  for (const each of processes ?? [])
    if (
      !each.isEnding &&
      each.doubts === 0 &&
      each.inFlight < callsAtOnce &&
      (!best || each.inFlight < best.inFlight)
    )
      best = each;
  return best;
}
