import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Orders, Word } from './crowd-process.ts';
import type { Followed } from './follow.ts';

const program = fileURLToPath(new URL('crowd-process.ts', import.meta.url));
const processes = 2;

/** Many subscribers, in processes of their own. */
export interface Crowd extends AsyncDisposable {
  readonly pids: readonly number[];
  /** Resolves when they have got so many events, all together and since they came. */
  received(events: number): Promise<void>;
}

/** Opens subscribers of one collection, each with a filter of its own if so wanted: `n=0`, `n=1` and so on. */
export async function openCrowd(
  followed: Followed,
  { subscribers, hasOwnFilters = false }: { subscribers: number; hasOwnFilters?: boolean },
): Promise<Crowd> {
  const first = Math.ceil(subscribers / processes);
  const shares = [first, subscribers - first].filter((count) => count > 0);
  const tally = new Tally();
  const children = shares.map((count, at) => {
    const child = fork(program);
    tally.listenTo(child);
    child.send({ followed, count, firstNumber: hasOwnFilters ? at * first : undefined } satisfies Orders);
    return child;
  });
  await tally.until(() => tally.open === shares.length);
  return {
    pids: children.map(({ pid }) => pid!),
    received: (events) => tally.until(() => tally.events >= events),
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end));
    },
  };
}

/** What the processes have said so far. */
class Tally {
  open = 0;
  readonly #events = new Map<ChildProcess, number>();
  #trouble: string | undefined;
  #wake: (() => void) | undefined;

  listenTo(child: ChildProcess): void {
    child.on('message', (word: Word) => {
      if (word.kind === 'open') this.open += 1;
      else if (word.kind === 'received') this.#events.set(child, word.events);
      else this.#trouble ??= word.what;
      this.#wake?.();
    });
  }

  get events(): number {
    return [...this.#events.values()].reduce((sum, events) => sum + events, 0);
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      if (this.#trouble !== undefined) throw new Error(`A subscriber: ${this.#trouble}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
