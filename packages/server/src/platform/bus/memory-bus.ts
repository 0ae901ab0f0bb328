import type { Bus } from './bus.ts';

/** For a single process. */
export class MemoryBus implements Bus {
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  readonly #boards = new Map<string, Map<string, string>>();

  async publish(channel: string, text: string): Promise<void> {
    for (const heard of this.#listeners.get(channel) ?? []) heard(text);
  }

  async listen(channel: string, heard: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(heard));
    return () => {
      listeners.delete(heard);
      if (listeners.size === 0) this.#listeners.delete(channel);
    };
  }

  async note(board: string, name: string, text: string): Promise<void> {
    const notes = this.#boards.get(board) ?? new Map<string, string>();
    this.#boards.set(board, notes.set(name, text));
  }

  async removeNote(board: string, name: string): Promise<void> {
    const notes = this.#boards.get(board);
    notes?.delete(name);
    if (notes?.size === 0) this.#boards.delete(board);
  }

  async notes(board: string): Promise<string[]> {
    return [...(this.#boards.get(board)?.values() ?? [])];
  }

  async close(): Promise<void> {}
}
