import { randomBytes } from 'node:crypto';
import { finished } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { guarded } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { CodeProcess, type ProcessDeps } from './code-process.ts';
import { Governor } from './governor.ts';
import { type Code, type Invocation, type SandboxAnswer, SandboxError, type Start } from './invocation.ts';
import { ProcessLines } from './process-lines.ts';
import { type ProcessAnswer, sendCall } from './send-call.ts';

export interface PoolOptions {
  /** Processes that hold code. */
  readonly most: number;
  /** Processes that wait for code, once there was any. */
  readonly blanks: number;
  /** How long a process that nobody calls is kept. */
  readonly idleMs: number;
}

/** Calls that one process works on at a time. @limit - */
const callsAtOnce = 20;
/** Processes of one version. @limit - */
const mostOfVersion = 4;
/** Calls of one version that wait for a process. @limit function_busy */
const mostWaiting = 200;
/** Between the deadline and the end of a process that does not react. */
const graceMs = 100;
/** A process that answers nothing for so long is stuck. */
const stuckMs = 5000;
const lookMs = 1000;
/** How long the last lines of the log of a call may take. */
const lastLinesMs = 1000;
/** Part of the processors that code which burns them gets, all of it together. */
const burningCores = 1;

/** Keeps processes for the versions that are called, and blank ones for those that will be. */
export class CodePool {
  readonly #deps: ProcessDeps;
  readonly #options: PoolOptions;
  readonly #log: Log;
  readonly #byCode = new Map<string, Set<CodeProcess>>();
  readonly #blanks: CodeProcess[] = [];
  /** Those that load a deployment to see what it is. */
  readonly #describing = new Set<CodeProcess>();
  readonly #places: FairSemaphore;
  readonly #lines = new ProcessLines(mostWaiting);
  readonly #governor: Governor;
  /** Who waits for the place of a process. */
  #wanted = 0;
  #filling: Promise<void> | undefined;
  #looks: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: ProcessDeps, options: PoolOptions, log: Log) {
    this.#deps = deps;
    this.#options = options;
    this.#log = log;
    this.#places = new FairSemaphore(options.most, Math.max(1, Math.ceil(options.most / 4)), mostWaiting);
    this.#governor = new Governor(() => this.#wakefulPids(), burningCores);
  }

  /** Processes with code, and blank ones. */
  get size(): { readonly running: number; readonly blank: number } {
    return { running: this.#running().length, blank: this.#blanks.length };
  }

  async invoke(call: Invocation): Promise<SandboxAnswer> {
    const deadline = performance.now() + call.deadlineMs;
    const { found, start } = await this.#take(call.code, deadline);
    const id = randomBytes(12).toString('base64url');
    const done = found.begin({ id, token: call.token, onLog: call.onLog });
    const late = this.#watch(found, call, id, deadline);
    try {
      const sent = sendCall(found, call, { id, signal: late.signal });
      sent.catch(() => {});
      const answer = await Promise.race([sent, late.promise]);
      const ended = this.#ending(found, { id, done, late }, answer);
      return { ...answer, callId: id, start, ended };
    } catch (error) {
      late.clear();
      this.#release(found);
      await this.#lastLines(found, id, done);
      throw error instanceof SandboxError ? error : await this.#explain(found, error);
    }
  }

  /** Loads modules in a process of their own, which knows no settings and gets nowhere, and says what they are. */
  async describe(code: Code, files: readonly string[], longestMs: number): Promise<string> {
    const leave = await this.#enter(code.project, longestMs);
    if (!leave) throw new SandboxError('busy', 'Too many processes are being started.');
    const one = new CodeProcess(this.#deps);
    this.#describing.add(one);
    this.#tend();
    try {
      one.adopt(code);
      const work = one.ready.then(() => one.tell('/describe', JSON.stringify({ files })));
      const late = sleep(longestMs, undefined, { ref: false }).then(() => {
        throw new SandboxError(
          'timed_out',
          `The modules were not loaded within ${longestMs / 1000} seconds.`,
        );
      });
      return await Promise.race([work, late]);
    } catch (error) {
      throw error instanceof SandboxError ? error : await this.#explain(one, error);
    } finally {
      this.#describing.delete(one);
      one.kill('described');
      leave();
    }
  }

  /** Makes the first call of a version quick. */
  async warm(code: Code): Promise<void> {
    const { found } = await this.#take(code, performance.now() + 10_000);
    this.#release(found);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looks);
    this.#governor.stop();
    await this.#filling?.catch(() => {});
    const all = [...this.#running(), ...this.#blanks, ...this.#describing];
    for (const each of all) each.kill('the service stops');
    await Promise.all(all.map((each) => each.gone));
  }

  #running(): CodeProcess[] {
    return [...this.#byCode.values()].flatMap((processes) => [...processes]);
  }

  /** Code that has answered can go on in the background until its process is paused. */
  #wakefulPids(): number[] {
    return [...this.#running(), ...this.#describing]
      .filter(({ isPaused }) => !isPaused)
      .flatMap(({ pid }) => pid ?? []);
  }

  /** A process with a free place: one that has the code, else a blank one, else a new one. */
  async #take(code: Code, deadline: number): Promise<{ found: CodeProcess; start: Start }> {
    const key = keyOf(code);
    for (;;) {
      if (this.#isClosed) throw new SandboxError('busy', 'The service is stopping.');
      const own = this.#byCode.get(key);
      const free = leastBusy(own);
      if (free) return { found: await this.#use(free), start: 'warm' };
      if ((own?.size ?? 0) < mostOfVersion) {
        const begun = await this.#begin(code, own ? 0 : deadline - performance.now());
        if (begun) return begun;
      }
      if (!own) throw new SandboxError('busy', 'This node runs as many functions as it may.');
      await this.#lines.wait(key, deadline - performance.now());
    }
  }

  async #use(process: CodeProcess): Promise<CodeProcess> {
    process.inFlight += 1;
    process.lastUsed = performance.now();
    process.resume();
    await this.#readied(process);
    return process;
  }

  /** Undefined: there was no place for another process. */
  async #begin(code: Code, longestWaitMs: number): Promise<{ found: CodeProcess; start: Start } | undefined> {
    const leave = await this.#enter(code.project, longestWaitMs);
    if (!leave) return undefined;
    const key = keyOf(code);
    const blank = this.#blanks.shift();
    const found = blank ?? new CodeProcess(this.#deps);
    const own = this.#byCode.get(key) ?? new Set();
    this.#byCode.set(key, own.add(found));
    void found.gone.finally(() => {
      own.delete(found);
      if (own.size === 0 && this.#byCode.get(key) === own) this.#byCode.delete(key);
      leave();
      this.#lines.wake(key);
    });
    found.inFlight += 1;
    try {
      found.adopt(code);
    } catch (error) {
      this.#drop(found, 'its code is gone');
      throw new SandboxError('crashed', `The code could not be read: ${(error as Error).message}`);
    }
    this.#tend();
    await this.#readied(found);
    return { found, start: blank ? 'blank' : 'cold' };
  }

  /** A place for one more process; undefined if there was none for so long. */
  async #enter(project: string, longestMs: number): Promise<(() => void) | undefined> {
    this.#wanted += 1;
    try {
      this.#makeRoom();
      return await this.#places.enter(project, longestMs);
    } finally {
      this.#wanted -= 1;
    }
  }

  async #readied(process: CodeProcess): Promise<void> {
    try {
      await process.ready;
    } catch (error) {
      process.inFlight -= 1;
      throw new SandboxError('crashed', `The process could not be started: ${(error as Error).message}`);
    }
  }

  #release(process: CodeProcess): void {
    process.inFlight -= 1;
    process.lastUsed = performance.now();
    if (process.code) this.#lines.wake(keyOf(process.code));
  }

  /** Whoever was called longest ago goes first. */
  #makeRoom(): void {
    if (this.#wanted === 0) return;
    const running = this.#running();
    const free = this.#options.most - running.length - this.#describing.size;
    if (this.#wanted <= free) return;
    const idle = running.filter(({ isIdle }) => isIdle).toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
    if (idle) this.#drop(idle, 'another needed its place');
  }

  #drop(process: CodeProcess, why: string): void {
    // No further call may find it.
    if (process.code) this.#byCode.get(keyOf(process.code))?.delete(process);
    process.kill(why);
  }

  /** Ends the call at its deadline: first it is asked; if the process does not even answer, it is ended whole. */
  #watch(process: CodeProcess, { file, deadlineMs }: Invocation, id: string, deadline: number): Late {
    const { promise, reject } = Promise.withResolvers<never>();
    const gone = new AbortController();
    promise.catch(() => {});
    const give = guarded(
      () => {},
      async () => {
        reject(new SandboxError('timed_out', `${file} took longer than ${deadlineMs / 1000} seconds.`));
        await this.#abort(process, id);
        // A call that never answers would keep its connection.
        gone.abort();
      },
    );
    const timer = setTimeout(give, Math.max(0, deadline - performance.now()));
    return { promise, signal: gone.signal, clear: () => clearTimeout(timer) };
  }

  async #abort(process: CodeProcess, id: string): Promise<void> {
    const asked = process.tell('/abort', id).then(
      () => true,
      () => false,
    );
    process.isSuspect = true;
    const isHeard = await Promise.race([asked, sleep(graceMs, false, { ref: false })]);
    if (isHeard) process.isSuspect = false;
    else process.kill('a call was stuck past its deadline');
  }

  /** The call ends when its body was read and what it waits for is done, or at its deadline. */
  async #ending(
    process: CodeProcess,
    { id, done, late }: { id: string; done: Promise<void>; late: Late },
    { body, isPending }: ProcessAnswer,
  ): Promise<void> {
    const read = new Promise<void>((resolve) => {
      finished(body, { writable: false }, () => resolve());
    });
    const cut = late.promise.catch((error: Error) => void body.destroy(error));
    await read;
    this.#release(process);
    if (isPending) await Promise.race([done, cut]);
    late.clear();
    await this.#lastLines(process, id, done);
  }

  /** What was printed before the end arrives a little after it, on another way. */
  async #lastLines(process: CodeProcess, id: string, done: Promise<void>): Promise<void> {
    process.live.delete(id);
    await Promise.race([done, process.gone, sleep(lastLinesMs, undefined, { ref: false })]);
    process.forget(id);
    // Now it may be idle, and others wait.
    this.#makeRoom();
  }

  async #explain(process: CodeProcess, error: unknown): Promise<SandboxError> {
    const how = await Promise.race([process.gone, sleep(200, undefined, { ref: false })]);
    if (how === undefined) return new SandboxError('crashed', String(error));
    if (/out of memory/.test(how)) {
      const { memoryMb } = this.#deps.limits;
      return new SandboxError('out_of_memory', `The function needs more than ${memoryMb} MB of memory.`);
    }
    return new SandboxError('crashed', `The process of the function ended: ${how}.`);
  }

  /** Begins to look after the processes, once there are any. */
  #tend(): void {
    this.#governor.start();
    this.#looks ??= setInterval(
      guarded(
        (error) => this.#log.error({ err: error }, 'looking after functions failed'),
        () => this.#look(),
      ),
      lookMs,
    );
    this.#looks.unref();
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

  #look(): void {
    const now = performance.now();
    const most = this.#deps.limits.memoryMb * 1_048_576;
    // What V8 does not count (buffers, native memory) is seen from outside.
    for (const each of [...this.#running(), ...this.#describing])
      if (each.memory() > most) each.kill('out of memory');
      else if (each.hasWritten) each.kill('it wrote to the disk');
    for (const each of this.#running()) {
      if (!each.isIdle) void this.#ping(each);
      else if (now - each.lastUsed > this.#options.idleMs) this.#drop(each, 'nobody called it');
      else if (now - each.lastUsed > lookMs) each.pause();
    }
  }

  /** One long deadline does not hold up a project whose process is stuck. */
  async #ping(process: CodeProcess): Promise<void> {
    const answered = process.tell('/ping').then(
      () => true,
      // It has just ended, which is heard elsewhere.
      () => true,
    );
    const isHeard = await Promise.race([answered, sleep(stuckMs, false, { ref: false })]);
    if (!isHeard) process.kill('it was stuck for 5 seconds');
  }
}

/** The deadline of a call. */
interface Late {
  /** Rejects at the deadline. */
  readonly promise: Promise<never>;
  /** Aborts soon after it. */
  readonly signal: AbortSignal;
  clear(): void;
}

const keyOf = ({ project, version }: Code): string => `${project}/${version}`;

function leastBusy(processes: ReadonlySet<CodeProcess> | undefined): CodeProcess | undefined {
  let best: CodeProcess | undefined;
  for (const each of processes ?? [])
    if (
      !each.isGone &&
      !each.isSuspect &&
      each.inFlight < callsAtOnce &&
      (!best || each.inFlight < best.inFlight)
    )
      best = each;
  return best;
}
