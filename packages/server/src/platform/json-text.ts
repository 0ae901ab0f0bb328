/*
 * JSON texts that are known to be right, such as PostgreSQL's, changed without being parsed. A document of a megabyte can
 * hold hundreds of thousands of values: to make objects of them, only to leave one field out, holds up everybody else.
 */

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, openBracket, closeBrace, closeBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Paths of names, from the outermost object inwards. */
export class PathTree {
  readonly #inner = new Map<string, PathTree>();
  /** Does a path end here? */
  isEnd = false;

  constructor(paths: Iterable<readonly string[]> = []) {
    for (const path of paths) this.#add(path);
  }

  at(name: string): PathTree | undefined {
    return this.#inner.get(name);
  }

  #add(path: readonly string[]): void {
    const [name, ...rest] = path;
    if (name === undefined) {
      this.isEnd = true;
      return;
    }
    const inner = this.#inner.get(name) ?? new PathTree();
    this.#inner.set(name, inner);
    inner.#add(rest);
  }
}

/** Goes over a JSON text from value to value. */
export class JsonCursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
    this.#skipBlanks();
  }

  get isAtObject(): boolean {
    return this.text.charCodeAt(this.at) === openBrace;
  }

  get isAtArray(): boolean {
    return this.text.charCodeAt(this.at) === openBracket;
  }

  /** Goes to the first name or value of the object or array it is at; false if there is none, and then behind it. */
  enter(): boolean {
    this.at += 1;
    this.#skipBlanks();
    return !this.#leave();
  }

  /** Goes from behind a value to the next name or value; false if it was the last, and then behind the whole. */
  next(): boolean {
    this.#skipBlanks();
    if (this.#leave()) return false;
    this.at += 1;
    this.#skipBlanks();
    return true;
  }

  /** Reads the name it is at, and goes to its value. */
  readName(): string {
    const start = this.at;
    this.#skipString();
    const written = this.text.slice(start, this.at);
    this.#skipBlanks();
    this.at += 1;
    this.#skipBlanks();
    return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
  }

  /** Goes behind the value it is at. */
  skipValue(): void {
    const code = this.text.charCodeAt(this.at);
    if (code === quote) this.#skipString();
    else if (code === openBrace || code === openBracket) this.#skipNested();
    else while (!this.#isBehindPlain()) this.at += 1;
  }

  #leave(): boolean {
    const code = this.text.charCodeAt(this.at);
    if (code !== closeBrace && code !== closeBracket) return false;
    this.at += 1;
    return true;
  }

  #skipNested(): void {
    const { text } = this;
    let [at, level] = [this.at, 0];
    do {
      const code = text.charCodeAt(at);
      if (code === quote) at = endOfString(text, at);
      else if (code === openBrace || code === openBracket) level += 1;
      else if (code === closeBrace || code === closeBracket) level -= 1;
      else if (Number.isNaN(code)) throw unended();
      at += 1;
    } while (level > 0);
    this.at = at;
  }

  #skipString(): void {
    this.at = endOfString(this.text, this.at) + 1;
    if (this.at > this.text.length) throw unended();
  }

  #isBehindPlain(): boolean {
    const code = this.text.charCodeAt(this.at);
    // Not a number, behind the end of the text.
    return code === comma || code === closeBrace || code === closeBracket || !(code > 0x20);
  }

  #skipBlanks(): void {
    while (this.text.charCodeAt(this.at) <= 0x20) this.at += 1;
  }
}

/** Where the string that begins at a quote ends; the end of the text if it does not. */
export function endOfString(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

function unended(): Error {
  return new SyntaxError('The JSON text does not end.');
}

/** The text without what is at the paths, also in the objects of an array on the way. */
export function withoutPaths(text: string, paths: PathTree): string {
  return new Removal(text).without(paths);
}

class Removal {
  readonly #cursor: JsonCursor;
  #kept = '';
  /** Up to here the text is kept or left out. */
  #done = 0;

  constructor(text: string) {
    this.#cursor = new JsonCursor(text);
  }

  without(paths: PathTree): string {
    this.#visit(paths);
    const { text } = this.#cursor;
    return this.#done === 0 ? text : this.#kept + text.slice(this.#done);
  }

  #visit(paths: PathTree): void {
    if (this.#cursor.isAtObject) this.#visitObject(paths);
    else if (this.#cursor.isAtArray) this.#visitArray(paths);
    else this.#cursor.skipValue();
  }

  #visitArray(paths: PathTree): void {
    if (this.#cursor.enter())
      do this.#visit(paths);
      while (this.#cursor.next());
  }

  /** What is left looks as if there had been nothing else: not even a blank tells of it. */
  #visitObject(paths: PathTree): void {
    const cursor = this.#cursor;
    if (!cursor.enter()) return;
    /** Where the last field ended that is kept, and where those begin and end that are left out after it. */
    let keptEnd: number | undefined;
    let [leftFrom, leftTo]: [number | undefined, number] = [undefined, 0];
    do {
      const start = cursor.at;
      const inner = paths.at(cursor.readName());
      if (inner?.isEnd) {
        cursor.skipValue();
        [leftFrom, leftTo] = [leftFrom ?? start, cursor.at];
        continue;
      }
      if (leftFrom !== undefined) this.#leaveOut(leftFrom, start);
      leftFrom = undefined;
      if (inner) this.#visit(inner);
      else cursor.skipValue();
      keptEnd = cursor.at;
    } while (cursor.next());
    if (leftFrom !== undefined) this.#leaveOut(keptEnd ?? leftFrom, leftTo);
  }

  #leaveOut(from: number, to: number): void {
    if (from > this.#done) this.#kept += this.#cursor.text.slice(this.#done, from);
    this.#done = to;
  }
}

/** The text of an object with nothing but what is at the paths, which lead through objects. */
export function onlyPaths(text: string, paths: PathTree): string {
  return chosenIn(new JsonCursor(text), paths);
}

function chosenIn(cursor: JsonCursor, paths: PathTree): string {
  const fields: string[] = [];
  if (cursor.enter())
    do {
      const start = cursor.at;
      const inner = paths.at(cursor.readName());
      const value = cursor.at;
      if (inner && !inner.isEnd && cursor.isAtObject) {
        fields.push(cursor.text.slice(start, value) + chosenIn(cursor, inner));
        continue;
      }
      cursor.skipValue();
      if (inner?.isEnd) fields.push(cursor.text.slice(start, cursor.at));
    } while (cursor.next());
  return `{${fields.join(',')}}`;
}
