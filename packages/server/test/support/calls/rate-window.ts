import { setTimeout as sleep } from 'node:timers/promises';
import { windowAt } from '../../../src/platform/counters/window-clock.ts';

/** Limits count by minutes of the clock: a test that counts begins where its calls fit into one. */
export async function roomInWindow(neededMs: number): Promise<void> {
  const { leftMs } = windowAt(Date.now());
  if (leftMs < neededMs) await sleep(leftMs + 1);
}
