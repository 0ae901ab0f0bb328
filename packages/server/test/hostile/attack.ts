import type { Caller } from './caller.ts';

/** Whom an attack is aimed at, and as whom. All of it is real: a process of the service that everybody shares. */
export interface Target {
  readonly url: string;
  /** Of the attackers' own project. */
  readonly ref: string;
  /** Of the project next door. */
  readonly neighbourRef: string;
  readonly anonymous: Caller;
  /** With the API key of the attackers' project. */
  readonly server: Caller;
  /** Signs up at the attackers' project. */
  readonly newUser: () => Promise<Caller>;
  /** Makes a collection of the attackers' project; its path. */
  readonly newCollection: (settings?: Record<string, unknown>) => Promise<string>;
}

/** Goes on until it is told to stop, or has done all that it may. */
export type Run = (signal: AbortSignal) => Promise<unknown>;

export interface Attack {
  readonly name: string;
  /** The number that tests of attacks have in their names, if there is one. */
  readonly finding?: number;
  readonly callers: readonly ('anonymous' | 'app user' | 'API key')[];
  /** Sets up what the attack needs, while nobody is measured. */
  prepare(target: Target): Promise<Run>;
}

interface Bounds {
  /** How many do it at the same time. */
  readonly atOnce: number;
  /** How often it is done at most, by all of them together. */
  readonly most: number;
}

/** Does something again and again, by several at once, until it is time to stop or it was done often enough. */
export async function repeat(
  signal: AbortSignal,
  { atOnce, most }: Bounds,
  act: (n: number) => Promise<unknown>,
): Promise<void> {
  let begun = 0;
  const one = async () => {
    while (!signal.aborted && begun < most) await act(begun++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** As many of something as there should be. */
export const times = <Item>(count: number, make: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => make(n));

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
