/**
 * JSON.parse, without its fault. In V8 13 and 14 (Node 24 to 26) it takes a name written with escapes for one that it has
 * seen before and that is spelt like the escape: after {"a":1,"bc\\":1} it reads {"a":1,"bc\n":1} as having "bc\", also
 * where the two texts came from different projects. So no name with an escape reaches it: such names are written
 * plainly or, where JSON has no plain form, under a stand-in that is replaced afterwards.
 */
export function parseJsonText(text: string): unknown {
  if (!text.includes('\\')) return JSON.parse(text);
  const standIns = new Map<string, string>();
  const plain = text.replace(namesAndStrings, (token: string, content: string, colon: string | undefined) => {
    if (colon === undefined || !content.includes('\\')) return token;
    const name = JSON.parse(`"${content}"`) as string;
    if (!needsEscape.test(name)) return `"${name}"${colon}`;
    const standIn = `${mark}${name.replace(needsEscapeEach, (character) => `${mark}${character.charCodeAt(0)}.`)}`;
    standIns.set(standIn, name);
    return `"${standIn}"${colon}`;
  });
  const value: unknown = JSON.parse(plain);
  return standIns.size === 0 ? value : restored(value, standIns);
}

const namesAndStrings = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f]/;
// oxlint-disable-next-line no-control-regex
const needsEscapeEach = /["\\\u0000-\u001f]/g;
// Not to be guessed, so that no text can hold a stand-in of its own.
const mark = `\u{10fffd}${crypto.randomUUID()}`;

function restored(value: unknown, standIns: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) value[at] = restored(element, standIns);
    return value;
  }
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const own = { value: restored(member, standIns), enumerable: true, writable: true, configurable: true };
    // Not by assignment: that would take "__proto__" for something else than a name.
    Object.defineProperty(copy, standIns.get(name) ?? name, own);
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
