import type { Writable } from 'node:stream';
import { guarded } from '../../../platform/guarded.ts';

/** Past so many messages they go out at once: no turn of the event loop is left with more of that work. */
const mostHeld = 1000;

/**
 * What is sent over a connection in one turn of the event loop goes out in one piece. Each write by itself is a call of
 * the operating system, which takes longer than all else about an event.
 */
export class SentTogether {
  readonly #failed: (error: unknown) => void;
  readonly #wires = new Set<Writable>();
  #held = 0;
  #timer: NodeJS.Immediate | undefined;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Call before a message is written: it is held back until the end of the turn. */
  hold(wire: Writable): void {
    if (this.#held === mostHeld) this.#release();
    this.#held += 1;
    if (this.#wires.has(wire)) return;
    wire.cork();
    this.#wires.add(wire);
    this.#timer ??= setImmediate(guarded(this.#failed, () => this.#release()));
  }

  #release(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    this.#held = 0;
    const wires = [...this.#wires];
    this.#wires.clear();
    for (const wire of wires) wire.uncork();
  }
}
