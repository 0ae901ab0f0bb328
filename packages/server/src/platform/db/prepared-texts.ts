import { LRUCache } from 'lru-cache';
import { upToKeys } from '../up-to.ts';

/** How many texts are prepared at most: each of them costs every connection memory. */
const mostNames = 200;
const usesBefore = 10;
/** Longer ones are rare, and their plans are large. */
const mostCharacters = 16_384;

/** Gives names to statements that are worth preparing: texts that come again and again. A text keeps its name. */
export class PreparedTexts {
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  /** How often texts without a name were used. */
  readonly #uses = new LRUCache<string, number>(upToKeys(4_194_304));

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  nameOf(text: string): string | undefined {
    const given = this.#names.get(text);
    if (given !== undefined || text.length > mostCharacters || this.#names.size === mostNames) return given;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses <= usesBefore) return undefined;
    this.#uses.delete(text);
    const name = `${this.#prefix} ${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}
