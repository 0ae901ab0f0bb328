/** How somebody looks at a collection. */
export interface View {
  readonly name: string;
  readonly filter: string;
  readonly sort: string;
  readonly columns: readonly string[];
}

export interface Remembered {
  /** Chosen fields, in order; undefined: the usual ones. */
  readonly fields?: readonly string[] | undefined;
  readonly widths: Readonly<Record<string, number>>;
  readonly views: readonly View[];
}

const nothing: Remembered = { widths: {}, views: [] };
const keyFor = (ref: string, collection: string): string => `data ${ref} ${collection}`;

/** What this browser remembers of a collection. What it cannot read is nothing. */
export function recall(ref: string, collection: string): Remembered {
  try {
    const text = localStorage.getItem(keyFor(ref, collection));
    const kept = text === null ? undefined : (JSON.parse(text) as Partial<Remembered>);
    return kept && typeof kept === 'object' ? { ...nothing, ...kept } : nothing;
  } catch {
    return nothing;
  }
}

export function remember(ref: string, collection: string, what: Remembered): void {
  try {
    localStorage.setItem(keyFor(ref, collection), JSON.stringify(what));
  } catch {
    // The browser keeps nothing: it is forgotten with the page.
  }
}

/** Fields in an address, with commas between them. */
export const printFields = (fields: readonly string[]): string =>
  fields.map((field) => field.replace(/[%,]/g, encodeURIComponent)).join(',');

export const readFields = (text: string): string[] =>
  text.split(',').map((field) => field.replace(/%2[5C]/g, decodeURIComponent));
