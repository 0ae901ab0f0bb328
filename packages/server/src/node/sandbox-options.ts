import type { SandboxChoice } from '../features/code/sandbox/index.ts';
import type { PoolConfig } from '../platform/config/config.ts';

/** How the code of projects is run on this machine. */
export function sandboxOptions(config: Omit<PoolConfig, 'FUNCTIONS_POOL_SECRET'>) {
  return {
    // The schema lets no others through.
    choice: config.FUNCTIONS_SANDBOX as SandboxChoice,
    limits: { heapMb: config.FUNCTIONS_MEMORY_MB / 2, memoryMb: config.FUNCTIONS_MEMORY_MB },
    most: config.FUNCTIONS_MAX_PROCESSES,
    blanks: config.FUNCTIONS_BLANK_PROCESSES,
    idleMs: config.FUNCTIONS_IDLE_MS,
  };
}
