import { randomUUID } from 'node:crypto';
import type { Pool } from '../../platform/db/pool.ts';
import type { DeliveryHandler } from './delivery.ts';
import { HeldLane } from './held-lane.ts';
import {
  type LaneKey,
  type Lease,
  listForgottenLanes,
  releaseLane,
  renewLanes,
  type TakenLane,
  takeDueLanes,
  takeLanes,
} from './lane-store.ts';
import type { ReadBytes } from './read-bytes.ts';

const leaseMs = 30_000;
const mostHeld = 1000;
const takenAtOnce = 100;
/** So often a lane that another node holds is asked for after a hint. */
const mostTries = 8;

interface LaneLeasesDeps {
  readonly pool: Pool;
  readonly handlers: ReadonlyMap<string, DeliveryHandler>;
  readonly read: ReadBytes;
  /** A lane is this node's from now on. */
  readonly onTaken: (held: HeldLane) => void;
}

const nameOf = ({ projectId, lane }: LaneKey) => `${projectId}/${lane}`;

/** The lanes of a cell that this node serves, and no other at the same time. */
export class LaneLeases {
  readonly #deps: LaneLeasesDeps;
  readonly #node = randomUUID();
  readonly #held = new Map<string, HeldLane>();
  /** Lanes that something was written to, and how often they were asked for. */
  readonly #wanted = new Map<string, { lane: LaneKey; tries: number }>();
  #isTaking = false;

  constructor(deps: LaneLeasesDeps) {
    this.#deps = deps;
  }

  get held(): Iterable<HeldLane> {
    return this.#held.values();
  }

  get wants(): boolean {
    return this.#wanted.size > 0;
  }

  find(lane: LaneKey): HeldLane | undefined {
    return this.#held.get(nameOf(lane));
  }

  /** Remembers a lane that is to be taken. */
  want(lane: LaneKey): void {
    if (this.#wanted.size < mostHeld) this.#wanted.set(nameOf(lane), { lane, tries: 0 });
  }

  /** Takes what is wanted. Lanes that another node holds are asked for again: it may be about to let go. */
  async takeWanted(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    const wanted = [...this.#wanted].slice(0, takenAtOnce);
    try {
      for (const [name, want] of wanted) {
        want.tries += 1;
        if (want.tries >= mostTries) this.#wanted.delete(name);
      }
      const keys = wanted.map(([, { lane }]) => lane);
      const lanes = await takeLanes(this.#deps.pool, this.#lease, keys);
      for (const lane of lanes) this.#wanted.delete(nameOf(lane));
      this.#hold(lanes);
    } finally {
      this.#isTaking = false;
    }
  }

  /** Takes lanes whose time has come. */
  async takeDue(): Promise<void> {
    if (this.#held.size >= mostHeld) return;
    this.#hold(await takeDueLanes(this.#deps.pool, this.#lease, takenAtOnce));
  }

  /** Takes lanes in which something waits though nobody was told. */
  async takeForgotten(): Promise<void> {
    if (this.#held.size >= mostHeld) return;
    const forgotten = await listForgottenLanes(this.#deps.pool, mostHeld);
    const others = forgotten.filter((lane) => !this.find(lane));
    if (others.length > 0) this.#hold(await takeLanes(this.#deps.pool, this.#lease, others));
  }

  async renew(): Promise<void> {
    const lanes = [...this.#held.values()];
    if (lanes.length === 0) return;
    const askedAt = performance.now();
    const keys = lanes.map(({ lane }) => lane);
    const own = await renewLanes(this.#deps.pool, this.#lease, keys);
    const names = new Set(own.map(nameOf));
    for (const held of lanes) {
      if (names.has(nameOf(held.lane))) held.leaseUntil = askedAt + leaseMs;
      else held.close();
    }
  }

  /** From now on it is nobody's here. */
  drop({ lane }: HeldLane): void {
    this.#held.delete(nameOf(lane));
  }

  /** Lets others have it; is there something to do for them at once? */
  release({ lane, health, pausedForMs }: HeldLane): Promise<boolean> {
    return releaseLane(this.#deps.pool, lane, { node: this.#node, health, pausedForMs });
  }

  /** Handlers may be added until the node starts. */
  get #lease(): Lease {
    return { node: this.#node, ms: leaseMs, kinds: [...this.#deps.handlers.keys()] };
  }

  #hold(lanes: readonly TakenLane[]): void {
    for (const lane of lanes) {
      const handler = this.#deps.handlers.get(lane.kind);
      if (!handler || this.find(lane)) continue;
      const held = new HeldLane(lane, handler, performance.now() + leaseMs, this.#deps.read);
      this.#held.set(nameOf(lane), held);
      this.#deps.onTaken(held);
    }
  }
}
