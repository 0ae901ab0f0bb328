import { randomBytes } from 'node:crypto';

/**
 * JSON.parse, without its fault. In V8 13 and 14 (Node 24 to 26) it takes a name written with escapes for one that it has
 * seen before and that is spelt like the escape: after {"a":1,"bc\\":1} it reads {"a":1,"bc\n":1} as having "bc\", also
 * where the two texts came from different projects. So no name with an escape reaches it: such names are written
 * plainly or, where JSON has no plain form, under a stand-in that is replaced afterwards.
 */
export function parseJsonText(text: string): unknown {
  // What is not JSON is refused here: what follows takes a time that grows with the text only if it is.
  const value: unknown = JSON.parse(text);
  if (!text.includes('\\')) return value;
  const names = new PlainNames();
  const plain = text.replace(stringsAndColons, (token: string, content: string, colon: string | undefined) =>
    colon === undefined || !content.includes('\\') ? token : `"${names.plain(content)}"${colon}`,
  );
  if (!names.areUsed) return value;
  const renamed: unknown = JSON.parse(plain);
  return names.standIns.size === 0 ? renamed : restored(renamed, names.standIns);
}

const stringsAndColons = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f]/;
// Not to be guessed, so that no text can hold a stand-in of its own.
const mark = randomBytes(12).toString('base64url');

/** Each costs many times what a plain name does. */
const mostStandIns = 10_000;

/** Names without an escape in the place of those that have one. */
class PlainNames {
  /** The name that each stand-in is for. */
  readonly standIns = new Map<string, string>();
  readonly #byName = new Map<string, string>();
  readonly #byContent = new Map<string, string>();

  get areUsed(): boolean {
    return this.#byContent.size > 0;
  }

  plain(content: string): string {
    let plain = this.#byContent.get(content);
    if (plain === undefined) {
      plain = this.#plain(JSON.parse(`"${content}"`) as string);
      this.#byContent.set(content, plain);
    }
    return plain;
  }

  /** However a name is written, it has one stand-in. */
  #plain(name: string): string {
    if (!needsEscape.test(name)) return name;
    let standIn = this.#byName.get(name);
    if (standIn === undefined) {
      if (this.standIns.size === mostStandIns)
        throw new SyntaxError(
          `More than ${mostStandIns} names hold a quote, a backslash or a control character.`,
        );
      standIn = `${mark}${this.standIns.size}`;
      this.#byName.set(name, standIn);
      this.standIns.set(standIn, name);
    }
    return standIn;
  }
}

function restored(value: unknown, standIns: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) value[at] = restored(element, standIns);
    return value;
  }
  const copy: Record<string, unknown> = {};
  for (const [plain, member] of Object.entries(value)) {
    const name = standIns.get(plain) ?? plain;
    const own = restored(member, standIns);
    if (name !== '__proto__') copy[name] = own;
    // Assigned, it would be taken for something else than a name.
    else
      Object.defineProperty(copy, name, { value: own, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

/** One text for values that are equal, whatever the order of their fields. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`,
  );
  return `{${members.toSorted().join()}}`;
}
