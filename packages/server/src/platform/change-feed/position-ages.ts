import { keptMs } from './change-stream.ts';
import { origin, type Position } from './position.ts';

const noteEveryMs = 10_000;

/** When positions were the last ones, so that it is known which are old. */
export class PositionAges {
  /** The last position now. */
  last: Position;
  /** Up to here everything is older than what is kept, as far as this node knows. */
  old: Position = origin;
  #notes: { readonly at: number; readonly position: Position }[] = [];

  constructor(last: Position) {
    this.last = last;
  }

  /** To be asked often: up to where everything has become too old, if anything has. */
  grownOld(): Position | undefined {
    const now = performance.now();
    const latest = this.#notes.at(-1);
    if (latest && latest.at > now - noteEveryMs) return undefined;
    this.#notes.push({ at: now, position: this.last });
    let old: Position | undefined;
    for (let note = this.#notes[0]; note && note.at < now - keptMs; note = this.#notes[0]) {
      old = note.position;
      this.#notes.shift();
    }
    this.old = old ?? this.old;
    return old;
  }
}
