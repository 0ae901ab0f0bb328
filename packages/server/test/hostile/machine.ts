import { cpus } from 'node:os';

export const coreCount = cpus().length;

/** How busy the machine is, whoever keeps it so. */
export class Machine {
  #since = busyMs();

  /** How many cores were busy, on average, since it was last asked. */
  takeBusyCores(): number {
    const [before, now] = [this.#since, busyMs()];
    this.#since = now;
    return (now.busy - before.busy) / Math.max(1, now.at - before.at);
  }
}

function busyMs(): { busy: number; at: number } {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { busy, at: performance.now() };
}
