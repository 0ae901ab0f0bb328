import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** Some time, and then a look at what has arrived: a process that stood still has yet to read it. */
export async function lapse(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
  await turn();
}
