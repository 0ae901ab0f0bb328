import type { Yielder } from '../concurrency/yielder.ts';
import { endOfString } from '../json-text.ts';
import { invalidBody, itemTooLarge } from './errors.ts';
import { parseJson } from './parse-json.ts';

/** A large body, and what of it is refused before it is read. */
interface LargeBody {
  readonly text: string;
  readonly yielder: Yielder;
  /** How deep it may be nested. */
  readonly maxLevels: number;
  /** The longest element of a list, in characters. */
  readonly longestElement: number;
  /** Called with how many elements there are, before any of them is read. */
  readonly checkCount: (count: number) => void;
}

/**
 * Reads a large body of the form {"items":[…]} without keeping the event loop from everyone else: element by element. What
 * is around the elements is read as JSON of its own, so that nothing but JSON is taken.
 */
export async function parseLargeJson(body: LargeBody): Promise<unknown> {
  const { yielder } = body;
  const found = new ElementFinder(body.text);
  while (!found.isDone) {
    if (yielder.isRestDue) await yielder.rest();
    found.goOn();
    body.checkCount(found.elements.length);
  }
  const { elements, around } = found;
  const root = parseJson(around, body.maxLevels);
  const [name, list] = listIn(root, elements.length) ?? [];
  if (name === undefined || !list) return root;
  for (const [at, [start, end]] of elements.entries()) {
    if (end - start > body.longestElement) throw itemTooLarge(at, '1 MB');
    if (yielder.isRestDue) await yielder.rest();
    list[at] = parseJson(body.text.slice(start, end), body.maxLevels - 2, [name, at]);
  }
  return root;
}

/** The list whose elements were left out, and its name. */
function listIn(root: unknown, length: number): [name: string, list: unknown[]] | undefined {
  if (typeof root !== 'object' || root === null || length === 0) return undefined;
  const lists = Object.entries(root).filter(([, value]) => Array.isArray(value) && value.length > 0);
  const [list] = lists;
  if (lists.length > 1 || list?.[1].length !== length) throw invalidBody('A batch has one list of items.');
  return list;
}

/** So many characters are looked at before others have their turn. */
const stretch = 32_768;
const [quote, comma] = [0x22, 0x2c];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const openBracket = 0x5b;

/** Finds the elements of lists one level down, by brackets and quotes alone. Whether it is JSON shows when it is read. */
class ElementFinder {
  readonly #text: string;
  readonly elements: [start: number, end: number][] = [];
  #kept: string[] = [];
  #keptTo = 0;
  #at = 0;
  #depth = 0;
  #isInList = false;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The text with 0 in the place of each element. */
  get around(): string {
    return `${this.#kept.join('')}${this.#text.slice(this.#keptTo)}`;
  }

  goOn(): void {
    const until = Math.min(this.#text.length, this.#at + stretch);
    while (this.#at < until) this.#look();
  }

  #look(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code === quote) {
      this.#at = endOfString(this.#text, this.#at) + 1;
      return;
    }
    if (opening.has(code)) {
      this.#depth += 1;
      if (this.#depth === 2 && code === openBracket) {
        this.#isInList = true;
        this.#start = this.#at + 1;
      }
    } else if (this.#isInList && this.#depth === 2 && code === comma) {
      this.#endElement(this.#at);
      this.#start = this.#at + 1;
    } else if (closing.has(code)) {
      if (this.#isInList && this.#depth === 2) {
        if (this.#text.slice(this.#start, this.#at).trim() !== '') this.#endElement(this.#at);
        this.#isInList = false;
      }
      this.#depth -= 1;
    }
    this.#at += 1;
  }

  #endElement(end: number): void {
    this.elements.push([this.#start, end]);
    this.#kept.push(this.#text.slice(this.#keptTo, this.#start), '0');
    this.#keptTo = end;
  }
}
