import type { Entry, HistoryRange } from './change-stream.ts';
import { isBefore, origin, type Position } from './position.ts';
import { PositionedList } from './positioned-list.ts';

interface Kept {
  readonly position: Position;
  readonly entry: Entry;
  readonly bytes: number;
}

/** The changes of one project that are in memory, in their order. */
export class ProjectHistory {
  bytes = 0;
  /** Up to here changes were dropped. */
  floor: Position = origin;
  readonly #kept = new PositionedList<Kept>();

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  add(entry: Entry, bytes: number): void {
    this.#kept.add({ position: entry.position, entry, bytes });
    this.bytes += bytes;
  }

  find(position: Position): Entry | undefined {
    return this.#kept.find(position)?.entry;
  }

  read({ after, upTo, most }: HistoryRange): Entry[] | 'gone' {
    if (isBefore(after, this.floor)) return 'gone';
    const found = this.#kept.after(after, most).map(({ entry }) => entry);
    return found.filter(({ position }) => !isBefore(upTo, position));
  }

  /** Drops the oldest; says how many bytes that was. */
  drop(): number {
    const oldest = this.#kept.drop();
    if (!oldest) return 0;
    this.floor = oldest.position;
    this.bytes -= oldest.bytes;
    return oldest.bytes;
  }
}
