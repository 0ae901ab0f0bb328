import type { Worker } from 'node:cluster';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import type { Family } from '../metrics/family.ts';
import { sumFamilies } from '../metrics/sum-families.ts';
import type { AdminSource, Readiness } from './admin-source.ts';

/** What is sent between the processes of a node. */
interface Asked {
  readonly asked: 'families' | 'readiness';
  readonly number: number;
}

interface Told {
  readonly told: readonly Family[] | Readiness | undefined;
  readonly number: number;
}

const patienceMs = 5000;

/** Answers the process that started this one. */
export function answerParent(source: AdminSource, log: Log): void {
  const failed = reporting(log, 'the parent process was not told what operators ask for');
  process.on(
    'message',
    guarded(failed, async (message: Partial<Asked>) => {
      if (message.asked === undefined) return;
      const { asked, number = 0 } = message;
      const told = await source[asked]().catch(() => undefined);
      if (process.connected) process.send?.({ told, number } satisfies Told);
    }),
  );
}

/** Asks all processes of a node, and adds up what they say. */
export class AdminOfWorkers implements AdminSource {
  /** Each in its place. */
  readonly #workers: ReadonlyMap<Worker, number>;
  readonly #log: Log;
  readonly #waiting = new Map<number, (told: Told['told']) => void>();
  #number = 0;

  constructor(workers: ReadonlyMap<Worker, number>, log: Log) {
    this.#workers = workers;
    this.#log = log;
  }

  /** Hears what a process answers. */
  hear(worker: Worker): void {
    const failed = reporting(this.#log, 'the answer of a process was not understood');
    worker.on(
      'message',
      guarded(failed, (message: Partial<Told>) => {
        // Others send messages too, with numbers of their own.
        if (message.number !== undefined && !('calls' in message))
          this.#waiting.get(message.number)?.(message.told);
      }),
    );
  }

  async families(): Promise<Family[]> {
    return sumFamilies(new Map(await this.#askAll<readonly Family[]>('families')));
  }

  /** The node is ready if all of its processes that answer are: they share one port. */
  async readiness(): Promise<Readiness> {
    const states = (await this.#askAll<Readiness>('readiness')).map(([, state]) => state);
    const [first] = states;
    if (!first) return { why: 'No process of this node responds.', engines: {}, clockAheadMs: {} };
    return states.find(({ why }) => why !== undefined) ?? first;
  }

  async #askAll<Answer>(asked: Asked['asked']): Promise<[string, Answer][]> {
    const answers = await Promise.all(
      Array.from(this.#workers, async ([worker, place]) => {
        const told = await this.#ask(worker, asked);
        return told === undefined ? [] : [[String(place), told as Answer] as [string, Answer]];
      }),
    );
    return answers.flat();
  }

  /** Undefined: it is starting, stopping or stuck. */
  #ask(worker: Worker, asked: Asked['asked']): Promise<Told['told']> {
    if (!worker.isConnected()) return Promise.resolve(undefined);
    this.#number += 1;
    const number = this.#number;
    const { promise, resolve } = Promise.withResolvers<Told['told']>();
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    this.#waiting.set(number, resolve);
    worker.send({ asked, number } satisfies Asked, (error) => error && resolve(undefined));
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(number);
    });
  }
}
