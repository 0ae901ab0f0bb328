import type { Answer } from '../../../calls/index.ts';
import { SingleFlight } from '../../../platform/concurrency/single-flight.ts';
import type { Collection } from '../collections/index.ts';

/** Lists that are being read, by the collection as it was known when they were asked for. */
export class SharedLists {
  readonly #underWay = new WeakMap<Collection, SingleFlight<Answer>>();

  /** Reads a list once for all who ask for the same at the same moment. */
  run(collection: Collection, key: string, read: () => Promise<Answer>): Promise<Answer> {
    const lists = this.#underWay.get(collection) ?? new SingleFlight<Answer>();
    this.#underWay.set(collection, lists);
    return lists.run(key, read);
  }
}
