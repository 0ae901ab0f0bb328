import { randomBytes } from 'node:crypto';
import { finished, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { lapse } from '../../../platform/concurrency/lapse.ts';
import { guarded } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import type { CodeProcess, ProcessDeps } from './code-process.ts';
import { cutAfter } from './cut-after.ts';
import { type Code, type Invocation, type SandboxAnswer, SandboxError } from './invocation.ts';
import { type PoolOptions, Processes } from './processes.ts';
import { type ProcessAnswer, sendCall } from './send-call.ts';

/** The response of a function; longer ones are cut off. @limit - bytes */
const mostAnswerBytes = 100 * 1_048_576;
/** Between the deadline and the end of a process that does not react. */
const graceMs = 500;
/** How long the last lines of the log of a call may take. */
const lastLinesMs = 1000;

/** Gives calls to processes, and sees each to its end. */
export class CodePool {
  readonly #processes: Processes;
  readonly #memoryMb: number;

  constructor(deps: ProcessDeps, options: PoolOptions, log: Log) {
    this.#processes = new Processes(deps, options, log);
    this.#memoryMb = deps.limits.memoryMb;
  }

  /** Processes with code, and blank ones. */
  get size(): { readonly running: number; readonly blank: number } {
    return this.#processes.size;
  }

  async invoke(call: Invocation): Promise<SandboxAnswer> {
    const deadline = performance.now() + call.deadlineMs;
    const { found, start } = await this.#processes.take(call.code, deadline);
    const id = randomBytes(12).toString('base64url');
    const done = found.begin({ id, token: call.token, onLog: call.onLog });
    const late = watch(found, call, id, deadline);
    try {
      const sent = sendCall(found, call, { id, signal: late.signal });
      sent.catch(() => {});
      const answer = await Promise.race([sent, late.promise]);
      const body = limited(answer.body, call);
      const ended = this.#ending(found, { id, done, late }, { ...answer, body });
      ended.catch(() => {});
      return { ...answer, body, callId: id, start, ended };
    } catch (error) {
      late.clear();
      this.#processes.release(found);
      await this.#lastLines(found, id, done);
      if (error instanceof SandboxError) throw error;
      throw performance.now() < deadline ? await this.#explain(found, error) : timedOut(call);
    }
  }

  /** Loads modules in a process of their own, which knows no settings and gets nowhere, and says what they are. */
  async describe(code: Code, files: readonly string[], longestMs: number): Promise<string> {
    return this.#processes.apart(code, longestMs, async (one) => {
      const work = one.ready.then(() => one.tell('/describe', JSON.stringify({ files })));
      const late = sleep(longestMs, undefined, { ref: false }).then(() => {
        throw new SandboxError('timed_out', `The modules did not load within ${longestMs / 1000} seconds.`);
      });
      try {
        return await Promise.race([work, late]);
      } catch (error) {
        throw error instanceof SandboxError ? error : await this.#explain(one, error);
      }
    });
  }

  /** Makes the first call of a version quick. */
  async warm(code: Code): Promise<void> {
    const { found } = await this.#processes.take(code, performance.now() + 10_000);
    this.#processes.release(found);
  }

  async close(): Promise<void> {
    await this.#processes.close();
  }

  /** The call ends when its body was read and what it waits for is done, or at its deadline. Rejects if it was too long. */
  async #ending(
    process: CodeProcess,
    { id, done, late }: { id: string; done: Promise<void>; late: Late },
    { body, isPending }: ProcessAnswer,
  ): Promise<void> {
    const read = new Promise<unknown>((resolve) => {
      finished(body, { writable: false }, resolve);
    });
    const cut = late.promise.catch((error: Error) => void body.destroy(error));
    const broken = await read;
    this.#processes.release(process);
    if (isPending) await Promise.race([done, cut]);
    late.clear();
    await this.#lastLines(process, id, done);
    if (broken instanceof SandboxError && broken.reason === 'failed') throw broken;
  }

  /** What was printed before the end arrives a little after it, on another way. */
  async #lastLines(process: CodeProcess, id: string, done: Promise<void>): Promise<void> {
    process.live.delete(id);
    await Promise.race([done, process.gone, sleep(lastLinesMs, undefined, { ref: false })]);
    process.forget(id);
    // Now it may be idle, and others wait.
    this.#processes.makeRoom();
  }

  async #explain(process: CodeProcess, error: unknown): Promise<SandboxError> {
    const how = await Promise.race([process.gone, sleep(200, undefined, { ref: false })]);
    if (how === undefined) return new SandboxError('crashed', String(error));
    if (/out of memory/.test(how))
      return new SandboxError(
        'out_of_memory',
        `The function needs more than ${this.#memoryMb} MB of memory.`,
      );
    return new SandboxError('crashed', `The process of the function exited: ${how}.`);
  }
}

function limited(body: Readable, { file, onLog }: Invocation): Readable {
  return cutAfter(body, mostAnswerBytes, () => {
    const text = `The response of ${file} was cut off: it exceeds ${mostAnswerBytes / 1_048_576} MB.`;
    onLog({ at: Date.now(), level: 'error', text });
    return new SandboxError('failed', text);
  });
}

/** The deadline of a call. */
interface Late {
  /** Rejects at the deadline. */
  readonly promise: Promise<never>;
  /** Aborts soon after it. */
  readonly signal: AbortSignal;
  clear(): void;
}

/** Ends the call at its deadline: first it is asked; if the process does not even answer, it is ended whole. */
function watch(process: CodeProcess, call: Invocation, id: string, deadline: number): Late {
  const { promise, reject } = Promise.withResolvers<never>();
  const gone = new AbortController();
  promise.catch(() => {});
  const give = guarded(
    () => {},
    async () => {
      reject(timedOut(call));
      await abort(process, id);
      // A call that never answers would keep its connection.
      gone.abort();
    },
  );
  const timer = setTimeout(give, Math.max(0, deadline - performance.now()));
  return { promise, signal: gone.signal, clear: () => clearTimeout(timer) };
}

const timedOut = ({ file, deadlineMs }: Invocation) =>
  new SandboxError('timed_out', `${file} took longer than ${deadlineMs / 1000} seconds.`);

async function abort(process: CodeProcess, id: string): Promise<void> {
  const askedAt = performance.now();
  const asked = process.tell('/abort', id).catch(() => {});
  process.doubts += 1;
  await Promise.race([asked, lapse(graceMs)]);
  process.doubts -= 1;
  // One that has answered others meanwhile is only busy, and calls of others are under way in it.
  if (process.heardAt < askedAt) process.kill('a function call was stuck past its deadline');
}
