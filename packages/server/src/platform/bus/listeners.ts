import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';

/** Who listens to which channel. What one of them throws harms nobody else. */
export class Listeners {
  readonly #log: Pick<Log, 'error'>;
  readonly #byChannel = new Map<string, Set<(text: string) => void>>();

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  tell(channel: string, text: string): void {
    const failed = reporting(this.#log, 'a message between nodes could not be processed');
    for (const heard of this.#byChannel.get(channel) ?? []) guarded(failed, heard)(text);
  }

  /** Is it the first of the channel? */
  add(channel: string, heard: (text: string) => void): boolean {
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners.add(heard));
    return listeners.size === 1;
  }

  /** Was it the last of the channel? */
  remove(channel: string, heard: (text: string) => void): boolean {
    const listeners = this.#byChannel.get(channel);
    listeners?.delete(heard);
    if (listeners?.size !== 0) return false;
    return this.#byChannel.delete(channel);
  }
}
