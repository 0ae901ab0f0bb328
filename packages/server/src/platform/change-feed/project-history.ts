import type { Entry, HistoryRange } from './change-stream.ts';
import { isBefore, origin, type Position } from './position.ts';

interface Kept {
  readonly entry: Entry;
  readonly bytes: number;
}

/** The dropped ones at the beginning are removed once there are so many. */
const compactAfter = 1000;

/** The changes of one project that are in memory, in their order. */
export class ProjectHistory {
  bytes = 0;
  /** Up to here changes were dropped. */
  floor: Position = origin;
  #kept: Kept[] = [];
  #start = 0;

  get isEmpty(): boolean {
    return this.#start === this.#kept.length;
  }

  add(entry: Entry, bytes: number): void {
    this.#kept.push({ entry, bytes });
    this.bytes += bytes;
  }

  find(position: Position): Entry | undefined {
    const entry = this.#kept[this.#indexFrom(position)]?.entry;
    return entry?.position === position ? entry : undefined;
  }

  read({ after, upTo, most }: HistoryRange): Entry[] | 'gone' {
    if (isBefore(after, this.floor)) return 'gone';
    const from = this.#indexFrom(after);
    const first = this.#kept[from]?.entry.position === after ? from + 1 : from;
    const found = this.#kept.slice(first, first + most).map(({ entry }) => entry);
    return found.filter(({ position }) => !isBefore(upTo, position));
  }

  /** Drops the oldest; says how many bytes that was. */
  drop(): number {
    const oldest = this.#kept[this.#start];
    if (!oldest) return 0;
    this.#start += 1;
    this.floor = oldest.entry.position;
    this.bytes -= oldest.bytes;
    if (this.#start > compactAfter && this.#start > this.#kept.length / 2) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
    return oldest.bytes;
  }

  /** The index of the first that is not before a position. */
  #indexFrom(position: Position): number {
    let [low, high] = [this.#start, this.#kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const kept = this.#kept[middle];
      if (kept && isBefore(kept.entry.position, position)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
