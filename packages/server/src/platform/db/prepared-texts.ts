import { LRUCache } from 'lru-cache';
import { upTo, upToKeys } from '../up-to.ts';

/** How many statements a connection keeps prepared at most: each of them costs it memory. */
export const mostPrepared = 200;
const usesBefore = 10;
/** Longer ones are rare, and their plans are large. */
const mostCharacters = 16_384;

/**
 * Gives names to statements that are worth preparing: texts that come again and again. The text that has not come for
 * longest loses its name to another, so that nobody can take all names for good. A name is never given twice.
 */
export class PreparedTexts {
  readonly #prefix: string;
  readonly #names = new LRUCache<string, string>(upTo(mostPrepared));
  /** How often texts without a name were used. */
  readonly #uses = new LRUCache<string, number>(upToKeys(4_194_304));
  #given = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || text.length > mostCharacters) return known;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses <= usesBefore) return undefined;
    this.#uses.delete(text);
    this.#given += 1;
    const name = `${this.#prefix} ${this.#given}`;
    this.#names.set(text, name);
    return name;
  }
}
