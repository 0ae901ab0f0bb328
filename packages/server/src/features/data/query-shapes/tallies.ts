import { LRUCache } from 'lru-cache';
import type { Project } from '../../../calls/index.ts';
import { upTo } from '../../../platform/up-to.ts';
import { addDurations, noDurations } from './durations.ts';
import type { CollectionShape } from './shape.ts';

export type NotedProject = Pick<Project, 'id' | 'ref' | 'cell'>;

interface Noted extends CollectionShape {
  readonly project: NotedProject;
  readonly text: string;
}

/** Calls of one shape since the last flush. */
export interface Tally extends Noted {
  calls: number;
  readonly durations: number[];
  /** Worth keeping only if the collection has as many documents. */
  fromDocuments: number;
  /** How often it could not be written. */
  tries: number;
}

/** Quick calls on a smaller collection are not worth noting. */
export const largeFrom = 1000;
const mostShapes = 5000;
const mostTries = 30;

/** The tallies that wait for the next flush. */
export class Tallies {
  readonly #tallies = new LRUCache<string, Tally>(upTo(mostShapes));

  get size(): number {
    return this.#tallies.size;
  }

  of({ project, collection, shape, text }: Noted): Tally {
    const key = `${project.cell}/${project.id}/${collection}/${text}`;
    const known = this.#tallies.get(key);
    if (known) return known;
    const counts = { calls: 0, durations: noDurations(), fromDocuments: largeFrom, tries: 0 };
    const tally = { project, collection, shape, text, ...counts };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Keeps for the next flush what could not be written, together with what has come since. */
  keep(tally: Tally): void {
    if (tally.tries + 1 === mostTries) return;
    const later = this.of(tally);
    later.calls += tally.calls;
    addDurations(later.durations, tally.durations);
    later.fromDocuments = Math.min(later.fromDocuments, tally.fromDocuments);
    later.tries = tally.tries + 1;
  }

  /** Takes all of them, those of each project together. */
  takeAll(): Tally[][] {
    const batches = Map.groupBy(this.#tallies.values(), ({ project }) => `${project.cell}/${project.id}`);
    this.#tallies.clear();
    return [...batches.values()];
  }
}
