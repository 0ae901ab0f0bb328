import { Batcher } from '../concurrency/batcher.ts';

/** How long a process has had nothing to do before that counts. */
const idleFor = '1 second';

/** Sends a statement over a new connection. */
type AskAnew = (statement: { text: string; values: unknown[] }) => Promise<{ readonly pid: number }[]>;

/**
 * Tells statements that take long from those that were lost on their way. Old connections may be dead while new ones
 * work: a firewall has forgotten them, or the address leads to another host. Over a new one PostgreSQL is asked what the
 * processes behind the others do, about all of them at once.
 */
export class Unanswered {
  readonly #ask: AskAnew;
  readonly #asking = new Batcher<number, boolean>(
    {
      mostAtOnce: 1,
      take: (waiting) => waiting,
      answer: (processes) => this.#areLost(processes),
      canTryAlone: () => false,
    },
    () => {},
  );

  constructor(ask: AskAnew) {
    this.#ask = ask;
  }

  /** Has the process behind a connection nothing to do, or is it gone? Then nothing will come of what it was sent. */
  isLost(process: number): Promise<boolean> {
    return this.#asking.add(process);
  }

  async #areLost(processes: readonly number[]): Promise<boolean[]> {
    const working = await this.#ask({
      text: `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1)
        AND NOT coalesce(state LIKE 'idle%' AND state_change < clock_timestamp() - interval '${idleFor}', false)`,
      values: [processes],
    });
    const known = new Set(working.map(({ pid }) => pid));
    return processes.map((process) => !known.has(process));
  }
}
