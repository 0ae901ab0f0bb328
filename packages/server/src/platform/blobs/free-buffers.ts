import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const every = 16_777_216;
let passed = 0;
let collect: ((options: object) => void) | undefined;

/**
 * Frees the buffers that bytes came in, now and then. They lie outside of V8's heap and are garbage at once, but V8 looks
 * for such only when its own small objects have filled their space: a file of 1 GB would leave a hundred megabytes of
 * them. Looking through the young objects takes a millisecond.
 */
export function freeBuffers(justPassed: number): void {
  passed += justPassed;
  if (passed < every) return;
  passed = 0;
  collect ??= exposedCollector();
  collect({ type: 'minor' });
}

function exposedCollector(): (options: object) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as (options: object) => void;
}
