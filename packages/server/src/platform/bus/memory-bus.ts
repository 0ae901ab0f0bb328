import type { Log } from '../log.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

/** For a single process. */
export class MemoryBus implements Bus {
  readonly #listeners: Listeners;
  readonly #boards = new Map<string, Map<string, string>>();

  constructor(log: Pick<Log, 'error'>) {
    this.#listeners = new Listeners(log);
  }

  async publish(channel: string, text: string): Promise<void> {
    this.#listeners.tell(channel, text);
  }

  async listen(channel: string, heard: (text: string) => void): Promise<() => void> {
    this.#listeners.add(channel, heard);
    return () => void this.#listeners.remove(channel, heard);
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
