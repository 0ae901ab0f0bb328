import { LRUCache } from 'lru-cache';
import { upTo } from '../up-to.ts';

/** How many texts are prepared at most: each of them costs every connection memory. */
const mostNames = 200;
const usesBefore = 10;

/** Gives names to statements that are worth preparing: texts that come again and again. */
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
      this.#texts.set(text, { uses: 1, name: undefined });
      return undefined;
    }
    known.uses += 1;
    if (known.name === undefined && known.uses > usesBefore && this.#names < mostNames) {
      this.#names += 1;
      known.name = `${this.#prefix} ${this.#names}`;
    }
    return known.name;
  }
}

interface Known {
  uses: number;
  name: string | undefined;
}
