import { watchCpu } from '../speed/cpu.ts';
import type { Stage } from './stage.ts';

/** How many cores were busy on average, and with whose work. */
export interface Cores {
  readonly node: number;
  readonly database: number;
  readonly clients: number;
}

/** Watches until the answer is called. This process is one of the clients, since it writes. */
export async function watchCores(stage: Stage, clients: readonly number[]): Promise<() => Promise<Cores>> {
  const startedAt = performance.now();
  const own = process.cpuUsage();
  const service = await watchCpu(stage.pid, stage.folder);
  const others = await Promise.all(clients.map((pid) => watchCpu(pid, stage.folder)));
  return async () => {
    const passed = (performance.now() - startedAt) * 1000;
    const { user, system } = process.cpuUsage(own);
    const { service: node, database } = await service(passed);
    const shares = await Promise.all(others.map((stop) => stop(passed)));
    const theirs = shares.reduce((sum, { service: share }) => sum + share, 0);
    return { node, database, clients: theirs + (user + system) / passed };
  };
}

export function describeCores({ node, database, clients }: Cores): string {
  return `cores: node ${node.toFixed(2)}, PostgreSQL ${database.toFixed(2)}, clients ${clients.toFixed(2)}`;
}
