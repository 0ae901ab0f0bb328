import { totalmem } from 'node:os';

const flag = '--max-semi-space-size';
const megabytes = 64;
/** Where there is less, memory is worth more than CPU time. */
const leastMemory = 2 * 1024 ** 3;

/**
 * Starts this program again, as the same process, with a larger young generation for V8. With the default of 16 MB, V8
 * looks for garbage so often that requests still need much of what it finds, which it then copies: that took a fifth of
 * a node's CPU time. The size can only be set when a process starts (docs/decisions/0080-young-generation.md).
 */
export function enlargeYoungGeneration() {
  const { argv, connected, env, execArgv, execPath } = process;
  const isSet = [...execArgv, env.NODE_OPTIONS ?? ''].some((given) =>
    given.replaceAll('_', '-').includes(flag),
  );
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  // A parent process that talks to this one would lose its channel.
  if (isSet || connected || memory < leastMemory) return;
  try {
    process.execve?.(execPath, [execPath, `${flag}=${megabytes}`, ...execArgv, ...argv.slice(1)], env);
  } catch {
    // Not on this system: it is a little slower without.
  }
}
