import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../memory.ts';
import { type Cores, watchCores } from './cores.ts';
import { openCrowd } from './crowd.ts';
import type { Stage } from './stage.ts';

export interface IdleMemory {
  readonly connections: number;
  readonly beforeMb: number;
  readonly afterMb: number;
  readonly kbPerConnection: number;
  /** Opening all of them took so long. */
  readonly openedInMs: number;
  /** While nothing happened. */
  readonly cores: Cores;
}

/** Of a node that has done nothing else before; one subscriber is there first, so that the feed is read already. */
export async function measureIdleMemory(
  stage: Stage,
  { connections, heldMs }: { connections: number; heldMs: number },
): Promise<IdleMemory> {
  const followed = { ...stage, collection: 'quiet' };
  await using stack = new AsyncDisposableStack();
  stack.use(await openCrowd(followed, { subscribers: 1 }));
  const beforeMb = await leastMemory(stage.pid, heldMs);
  const startedAt = performance.now();
  const crowd = stack.use(await openCrowd(followed, { subscribers: connections }));
  const openedInMs = performance.now() - startedAt;
  const cores = await watchCores(stage, crowd.pids);
  const afterMb = await leastMemory(stage.pid, heldMs);
  const spent = await cores();
  // All of them are still there: each hears of this.
  await stage.post('/collections/quiet', { is: 'over' });
  await crowd.received(connections);
  return {
    connections,
    beforeMb,
    afterMb,
    kbPerConnection: ((afterMb - beforeMb) * 1024) / connections,
    openedInMs,
    cores: spent,
  };
}

/** Node gives memory back when it has had nothing to do for a while: not always at once. */
async function leastMemory(pid: number, withinMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (const until = performance.now() + withinMs; performance.now() < until; await sleep(1000))
    least = Math.min(least, await memoryOf(pid));
  return least;
}
