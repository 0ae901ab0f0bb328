import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { endWithNode, takeLock } from './session-store.ts';

const longestWaitMs = 60_000;
const tryEveryMs = 500;

/** Waits until no other session does the work of this name, and keeps others from it until this session ends. */
export async function untilAlone(connection: Client, name: string, signal: AbortSignal): Promise<void> {
  await endWithNode(connection);
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    if (await takeLock(connection, name)) return;
    // A node that was thought dead is still at it.
    if (performance.now() - startedAt > longestWaitMs)
      throw new Error('Another node is working on the indexes of this collection.');
    await sleep(tryEveryMs);
  }
}
