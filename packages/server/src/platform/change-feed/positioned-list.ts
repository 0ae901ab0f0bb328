import { isBefore, type Position } from './position.ts';

/** The dropped ones at the beginning are removed once there are so many. */
const compactAfter = 1000;
/** Whoever reads is nearly always close to the end. */
const nearEnd = 64;

/** Things in the order of their positions: added at the end, and dropped at the beginning. */
export class PositionedList<Item extends { readonly position: Position }> {
  #items: (Item | undefined)[] = [];
  #start = 0;

  get size(): number {
    return this.#items.length - this.#start;
  }

  get first(): Item | undefined {
    return this.#items[this.#start];
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Removes the first. To move the others each time would take longer than all that is done with them. */
  drop(): Item | undefined {
    const dropped = this.first;
    if (!dropped) return undefined;
    this.#items[this.#start] = undefined;
    this.#start += 1;
    if (this.#start > compactAfter && this.#start > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
    return dropped;
  }

  find(position: Position): Item | undefined {
    const item = this.#items[this.#indexFrom(position)];
    return item?.position === position ? item : undefined;
  }

  /** What comes after a position, so many at most. */
  after(position: Position, most: number): Item[] {
    const from = this.#indexFrom(position);
    const first = this.#items[from]?.position === position ? from + 1 : from;
    // What is undefined is before the start.
    return this.#items.slice(first, first + most) as Item[];
  }

  /** The index of the first that is not before a position. */
  #indexFrom(position: Position): number {
    let [low, high] = [this.#start, this.#items.length];
    const near = this.#items[Math.max(low, high - nearEnd)];
    if (near && isBefore(near.position, position)) low = Math.max(low, high - nearEnd) + 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = this.#items[middle];
      if (item && isBefore(item.position, position)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
