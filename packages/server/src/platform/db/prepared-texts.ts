import { LRUCache } from 'lru-cache';
import { upTo } from '../up-to.ts';

/** How many texts are prepared at most: each of them costs every connection memory. */
const mostNames = 200;
const usesBefore = 10;
/** A prepared text that takes longer than this more than twice loses its name. */
const slowMs = 250;
const slowTimes = 2;

/**
 * Decides which statements are worth preparing: texts that come again and again, and are quick. PostgreSQL may choose one
 * plan for all values of a prepared statement. Where that turns out slow, the statement is sent without a name again.
 */
export class PreparedTexts {
  readonly #prefix: string;
  readonly #texts = new LRUCache<string, Known>(upTo(2000));
  #names = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  nameOf(text: string): string | undefined {
    const known = this.#texts.get(text);
    if (!known) {
      this.#texts.set(text, { uses: 1, slow: 0, name: undefined });
      return undefined;
    }
    known.uses += 1;
    if (known.name === undefined && known.uses > usesBefore && this.#names < mostNames) {
      this.#names += 1;
      known.name = `${this.#prefix} ${this.#names}`;
    }
    return known.slow > slowTimes ? undefined : known.name;
  }

  /** Notes how long a statement took. */
  note(text: string, ms: number): void {
    const known = this.#texts.peek(text);
    if (known?.name !== undefined && ms > slowMs) known.slow += 1;
  }
}

interface Known {
  uses: number;
  /** How often it was slow under its name. */
  slow: number;
  name: string | undefined;
}
