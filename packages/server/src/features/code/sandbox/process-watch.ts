import { lapse } from '../../../platform/concurrency/lapse.ts';
import { guarded } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import type { CodeProcess } from './code-process.ts';
import { Governor } from './governor.ts';

/** A process that answers nothing for so long is stuck. */
const stuckMs = 5000;
const lookMs = 1000;
/** Part of the processors that code which burns them gets, all of it together. */
const burningCores = 1;

/** What is watched, and within which bounds. */
export interface Watched {
  readonly memoryMb: number;
  readonly idleMs: number;
  readonly running: () => readonly CodeProcess[];
  /** Those that answer no calls. */
  readonly apart: () => Iterable<CodeProcess>;
  readonly drop: (process: CodeProcess, why: string) => void;
}

/** Looks after processes: ends what is too large or stuck, pauses what does nothing, and holds back what burns the processor. */
export class ProcessWatch {
  readonly #watched: Watched;
  readonly #log: Log;
  readonly #governor: Governor;
  #looks: NodeJS.Timeout | undefined;

  constructor(watched: Watched, log: Log) {
    this.#watched = watched;
    this.#log = log;
    this.#governor = new Governor(() => this.#wakefulPids(), burningCores);
  }

  start(): void {
    this.#governor.start();
    this.#looks ??= setInterval(
      guarded(
        (error) => this.#log.error({ err: error }, 'monitoring function processes failed'),
        () => this.#look(),
      ),
      lookMs,
    );
    this.#looks.unref();
  }

  stop(): void {
    clearInterval(this.#looks);
    this.#governor.stop();
  }

  #all(): CodeProcess[] {
    return [...this.#watched.running(), ...this.#watched.apart()];
  }

  /** Code that has answered can go on in the background until its process is paused. */
  #wakefulPids(): number[] {
    return this.#all()
      .filter(({ isPaused }) => !isPaused)
      .flatMap(({ pid }) => pid ?? []);
  }

  #look(): void {
    const { memoryMb, idleMs, running, drop } = this.#watched;
    const now = performance.now();
    // What V8 does not count (buffers, native memory) is seen from outside.
    for (const each of this.#all())
      if (each.memory() > memoryMb * 1_048_576) each.kill('out of memory');
      else if (each.hasWritten) each.kill('it wrote to the disk');
    for (const each of running()) {
      if (!each.isIdle) void ping(each);
      else if (now - each.lastUsed > idleMs) drop(each, 'nobody called it');
      else if (now - each.lastUsed > lookMs) each.pause();
    }
  }
}

/** One long deadline does not hold up a project whose process is stuck. */
async function ping(process: CodeProcess): Promise<void> {
  const answered = process.tell('/ping').then(
    () => true,
    // It has just ended, which is heard elsewhere.
    () => true,
  );
  const isHeard = await Promise.race([answered, lapse(stuckMs).then(() => false)]);
  if (!isHeard) process.kill('it was stuck for 5 seconds');
}
