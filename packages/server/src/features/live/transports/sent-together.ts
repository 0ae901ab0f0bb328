import type { Writable } from 'node:stream';
import { guarded } from '../../../platform/guarded.ts';

/** Past so many messages, or characters, they go out at once: nothing larger waits, in work or in memory. */
const mostHeld = { messages: 1000, characters: 262_144 };

/**
 * What is sent over a connection in one turn of the event loop goes out in one piece. Each write by itself is a call of
 * the operating system, which takes longer than all else about an event.
 */
export class SentTogether {
  readonly #failed: (error: unknown) => void;
  readonly #wires = new Set<Writable>();
  #messages = 0;
  #characters = 0;
  #timer: NodeJS.Immediate | undefined;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Call before a message is written: it is held back until the end of the turn, unless it is long. */
  hold(wire: Writable, { length }: string): void {
    const isFull = this.#messages === mostHeld.messages || this.#characters + length > mostHeld.characters;
    if (isFull) this.#release();
    if (length > mostHeld.characters) return;
    this.#messages += 1;
    this.#characters += length;
    if (this.#wires.has(wire)) return;
    wire.cork();
    this.#wires.add(wire);
    this.#timer ??= setImmediate(guarded(this.#failed, () => this.#release()));
  }

  #release(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    this.#messages = 0;
    this.#characters = 0;
    const wires = [...this.#wires];
    this.#wires.clear();
    for (const wire of wires) wire.uncork();
  }
}
