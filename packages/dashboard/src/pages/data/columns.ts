/** A document, whatever it holds. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Column {
  /** As the query language names it: a path with dots between its steps. */
  readonly field: string;
  readonly path: readonly string[];
  readonly width: number;
  readonly isNumeric: boolean;
}

const mostLookedAt = 200;
const mostKnown = 300;
const deepest = 4;
const system = new Set(['id', 'createdAt', 'updatedAt']);
const widths = { id: 112, number: 104, other: 188 };

/** Set by the service, not by whoever writes. */
export const isSystem = (field: string): boolean => system.has(field);

export const fieldOf = (path: readonly string[]): string =>
  path.map((step) => step.replace(/[\\.]/g, '\\$&')).join('.');

export const pathOf = (field: string): string[] =>
  (field.match(/(\\.|[^.\\])+/g) ?? []).map((step) => step.replace(/\\(.)/g, '$1'));

export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that was seen, with those inside it. */
interface Seen {
  readonly field: string;
  readonly path: readonly string[];
  readonly inside: Map<string, Seen>;
  count: number;
  numbers: number;
}

/** Fields that were not known, with those inside objects; the same list if there are none. */
export function withFieldsOf(known: readonly Column[], rows: readonly Row[]): readonly Column[] {
  if (known.length >= mostKnown) return known;
  const names = new Set(known.map(({ field }) => field));
  const top = new Map<string, Seen>();
  const fresh: Seen[] = [];
  const begin = (level: Map<string, Seen>, path: readonly string[]): Seen => {
    const seen = { field: fieldOf(path), path, inside: new Map(), count: 0, numbers: 0 };
    level.set(path.at(-1) ?? '', seen);
    if (!names.has(seen.field) && !(path.length === 1 && isSystem(seen.field))) fresh.push(seen);
    return seen;
  };
  const look = (value: Readonly<Record<string, unknown>>, level: Map<string, Seen>, above?: Seen) => {
    for (const name of Object.keys(value)) {
      const part = value[name];
      const seen = level.get(name) ?? begin(level, above ? [...above.path, name] : [name]);
      seen.count++;
      if (typeof part === 'number') seen.numbers++;
      else if (isObject(part) && seen.path.length < deepest) look(part, seen.inside, seen);
    }
  };
  for (const row of rows.slice(0, mostLookedAt)) look(row, top);
  if (fresh.length === 0) return known;
  const often = fresh.toSorted((a, b) => b.count - a.count).slice(0, mostKnown - known.length);
  return [...known, ...often.map(columnFor)];
}

function columnFor({ field, path, count, numbers }: Seen): Column {
  const isNumeric = numbers * 2 > count;
  return { field, path, isNumeric, width: isNumeric ? widths.number : widths.other };
}

const plain = (field: string, width = widths.other): Column => ({
  field,
  path: pathOf(field),
  width,
  isNumeric: false,
});

/** Those that are shown if nobody chose: the id leads, times come last. */
export function usualFields(known: readonly Column[]): string[] {
  const own = known.flatMap(({ field, path }) => (path.length === 1 ? [field] : []));
  return ['id', ...own, 'createdAt', 'updatedAt'];
}

/** The columns of these fields, in this order, as wide as somebody made them. */
export function columnsFor(
  fields: readonly string[],
  known: readonly Column[],
  chosenWidths: Readonly<Record<string, number>>,
): Column[] {
  const byField = new Map(known.map((column) => [column.field, column]));
  return fields.map((field) => {
    const column = byField.get(field) ?? plain(field, field === 'id' ? widths.id : widths.other);
    const width = chosenWidths[field];
    return width === undefined ? column : { ...column, width };
  });
}

type Kind = 'missing' | 'null' | 'string' | 'number' | 'boolean' | 'time' | 'link' | 'array' | 'object';

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
export const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Never more of a value than can be seen. */
const longest = 200;
const mostElements = 8;

/** No letter that is often used is narrower. */
const narrowestLetter = 3;

/** What a value is, and how it reads in a cell of a width. */
export function cellOf(value: unknown, width = longest * narrowestLetter): { kind: Kind; text: string } {
  const most = Math.min(longest, Math.ceil(width / narrowestLetter));
  if (value === undefined) return { kind: 'missing', text: '' };
  if (value === null) return { kind: 'null', text: 'null' };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  if (typeof value === 'string') {
    if (idForm.test(value)) return { kind: 'link', text: `…${value.slice(-8)}` };
    if (timeForm.test(value)) return { kind: 'time', text: value.slice(0, 19).replace('T', ' ') };
    return { kind: 'string', text: value.slice(0, most) };
  }
  if (Array.isArray(value))
    return { kind: 'array', text: JSON.stringify(value.slice(0, mostElements)).slice(0, most) };
  return { kind: 'object', text: JSON.stringify(value).slice(0, most) };
}

const titles = ['title', 'name', 'label', 'subject', 'email', 'slug', 'headline'];

/** What somebody would call a document. */
export function titleOf(row: Row): string {
  const named = titles.map((field) => row[field]).find((value) => typeof value === 'string' && value !== '');
  const first = Object.entries(row).find(
    ([field, value]) => !isSystem(field) && typeof value === 'string' && value !== '' && !idForm.test(value),
  );
  const title = named ?? first?.[1];
  return typeof title === 'string' ? title.slice(0, longest) : `…${row.id.slice(-8)}`;
}
