import type { HeldLane } from './held-lane.ts';

/** Lets projects, and the lanes of each, take turns: one that has much to do does not hold up one that has little. */
export class Turns {
  readonly #places: number;
  /** How many places one project has at most. */
  readonly #share: number;
  /** Those that have something to begin, in the order of their turns. */
  readonly #lanes = new Map<string, Set<HeldLane>>();
  readonly #running = new Map<string, number>();
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
    this.#share = Math.ceil(places / 2);
  }

  get running(): number {
    return this.#taken;
  }

  add(held: HeldLane): void {
    const { projectId } = held.lane;
    const lanes = this.#lanes.get(projectId) ?? new Set();
    lanes.add(held);
    this.#lanes.set(projectId, lanes);
  }

  remove(held: HeldLane): void {
    const { projectId } = held.lane;
    const lanes = this.#lanes.get(projectId);
    lanes?.delete(held);
    if (lanes?.size === 0) this.#lanes.delete(projectId);
  }

  /** Takes a place for the lane whose turn it is; undefined: none can begin anything. */
  next(): HeldLane | undefined {
    if (this.#taken >= this.#places) return undefined;
    for (const [projectId, lanes] of this.#lanes) {
      if ((this.#running.get(projectId) ?? 0) >= this.#share) continue;
      for (const held of lanes) {
        if (!held.canBegin) continue;
        // To the end of both lines.
        lanes.delete(held);
        lanes.add(held);
        this.#lanes.delete(projectId);
        this.#lanes.set(projectId, lanes);
        this.#count(projectId, 1);
        return held;
      }
    }
    return undefined;
  }

  leave(held: HeldLane): void {
    this.#count(held.lane.projectId, -1);
  }

  #count(projectId: string, change: 1 | -1): void {
    this.#taken += change;
    const count = (this.#running.get(projectId) ?? 0) + change;
    if (count === 0) this.#running.delete(projectId);
    else this.#running.set(projectId, count);
  }
}
