import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const every = 16_777_216;

/**
 * Frees the buffers that bytes came in, now and then. They are outside V8's heap and become garbage at once, but V8 only
 * looks for garbage when its own small objects have filled their space: a file of 1 GB would leave a hundred megabytes of
 * buffers behind. Looking through the young objects takes a millisecond.
 */
export class BufferCollector {
  #passed = 0;
  #collect: NodeJS.GCFunction | undefined;

  /** Counts bytes that have passed, and collects when there were enough of them. */
  count(bytes: number): void {
    this.#passed += bytes;
    if (this.#passed < every) return;
    this.#passed = 0;
    this.#collect ??= exposedCollector();
    this.#collect({ type: 'minor' });
  }
}

function exposedCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
