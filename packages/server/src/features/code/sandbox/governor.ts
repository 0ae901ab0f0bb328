import { readFileSync } from 'node:fs';
import { guarded } from '../../../platform/guarded.ts';

/** Part of a core from which on a process is held back. */
const greedyFrom = 0.25;
const turnMs = 5;
const lookMs = 50;
/** The unit in which the kernel counts, of which there are 100 in a second. */
const tickMs = 10;

interface Seen {
  ticks: number;
  /** Lately, as a part of a core. */
  use: number;
}

/**
 * Keeps code that burns the processor from slowing down the rest, without any privilege. Of the processes that have used
 * much of it lately only a few run at a time, in turn, and the others are stopped meanwhile. Those that have not are never
 * touched, and find a free core.
 */
export class Governor {
  readonly #busy: () => readonly number[];
  readonly #atOnce: number;
  readonly #seen = new Map<number, Seen>();
  readonly #stopped = new Set<number>();
  #greedy: readonly number[] = [];
  #turn = 0;
  #lookedAt = performance.now();
  #turns: NodeJS.Timeout | undefined;
  #looks: NodeJS.Timeout | undefined;

  /** `busy`: the processes that are not paused; `atOnce`: how many greedy ones run at a time. */
  constructor(busy: () => readonly number[], atOnce: number) {
    this.#busy = busy;
    this.#atOnce = atOnce;
  }

  start(): void {
    this.#looks ??= setInterval(
      guarded(
        () => {},
        () => this.#look(),
      ),
      lookMs,
    );
    this.#looks.unref();
  }

  stop(): void {
    clearInterval(this.#looks);
    clearInterval(this.#turns);
    for (const pid of this.#stopped) this.#go(pid);
  }

  #look(): void {
    const now = performance.now();
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    const busy = new Set(this.#busy());
    for (const pid of this.#seen.keys()) if (!busy.has(pid)) this.#forget(pid);
    for (const pid of busy) this.#measure(pid, passed);
    const greedy = [...this.#seen].filter(([, { use }]) => use > greedyFrom).map(([pid]) => pid);
    for (const pid of this.#greedy) if (!greedy.includes(pid)) this.#go(pid);
    this.#greedy = greedy;
    if (greedy.length > this.#atOnce) this.#takeTurns();
    else this.#letAllGo();
  }

  #measure(pid: number, passed: number): void {
    const ticks = ticksOf(pid);
    if (ticks === undefined) return;
    const seen = this.#seen.get(pid);
    if (!seen) return void this.#seen.set(pid, { ticks, use: 0 });
    const share = ((ticks - seen.ticks) * tickMs) / passed;
    seen.ticks = ticks;
    // One that is held back wants more than it gets.
    const isHeld = this.#greedy.length > this.#atOnce && this.#greedy.includes(pid);
    const wanted = isHeld ? Math.min(1, (share * this.#greedy.length) / this.#atOnce) : share;
    seen.use += (wanted - seen.use) * 0.3;
  }

  #takeTurns(): void {
    this.#turns ??= setInterval(
      guarded(
        () => {},
        () => this.#nextTurn(),
      ),
      turnMs,
    );
    this.#turns.unref();
  }

  #nextTurn(): void {
    this.#turn += 1;
    const { length } = this.#greedy;
    for (const [index, pid] of this.#greedy.entries()) {
      const place = (index - this.#turn * this.#atOnce) % length;
      if ((place + length) % length < this.#atOnce) this.#go(pid);
      else this.#hold(pid);
    }
  }

  #letAllGo(): void {
    clearInterval(this.#turns);
    this.#turns = undefined;
    for (const pid of this.#stopped) this.#go(pid);
  }

  #forget(pid: number): void {
    // It has ended or is paused, and then goes on when it is called.
    this.#seen.delete(pid);
    this.#stopped.delete(pid);
  }

  #hold(pid: number): void {
    if (this.#stopped.has(pid)) return;
    this.#stopped.add(pid);
    signal(pid, 'SIGSTOP');
  }

  #go(pid: number): void {
    if (this.#stopped.delete(pid)) signal(pid, 'SIGCONT');
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** Time on a processor since it began, its threads together. */
function ticksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return undefined;
  }
}
