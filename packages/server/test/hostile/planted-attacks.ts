import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, untilAborted } from './attack.ts';

const plant = (bug: string): Attack => ({
  name: `planted: ${bug}`,
  callers: ['anonymous'],
  prepare:
    async ({ anonymous, url }) =>
    async (signal) => {
      await sleep(200);
      await anonymous.get(`${url}/planted/${bug}`);
      await untilAborted(signal);
      await anonymous.get(`${url}/planted/end`);
    },
});

/** Not attacks, but what they would bring about: only a node with `planted-bugs.ts` in it does these things. */
export const planted: readonly Attack[] = ['nothing', 'stall', 'memory', 'crash', 'errors', 'slowness'].map(
  plant,
);
