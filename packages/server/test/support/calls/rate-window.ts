import { setTimeout as sleep } from 'node:timers/promises';
import { windowAt } from '../../../src/platform/counters/window-clock.ts';

/** Limits count by minutes of the clock: a test that counts begins where its calls fit into one. */
export async function roomInWindow(neededMs: number): Promise<void> {
  const { leftMs } = windowAt(Date.now());
  if (leftMs < neededMs) await sleep(leftMs + 1);
}

/**
 * What the work gave in a single minute of the clock: if a slow machine took it into the next, it is done again. So it
 * takes a new project, account or address each time, and the test looks at its result. A result that is not good says
 * nothing, as when Redis was slow.
 */
export async function inOneWindow<R>(
  neededMs: number,
  work: () => Promise<R>,
  isGood: (result: R) => boolean = () => true,
): Promise<R> {
  for (let round = 0; round < 10; round += 1) {
    await roomInWindow(neededMs);
    const { number } = windowAt(Date.now());
    const result = await work();
    if (windowAt(Date.now()).number === number && isGood(result)) return result;
  }
  throw new Error('In ten rounds there was no good result within one minute of the clock.');
}
