import fc from 'fast-check';
import { kinds } from './arbitrary-documents.ts';
import { confusable, text } from './arbitrary-values.ts';
import type { FlatDocument } from './oracle.ts';

interface Known {
  readonly path: string;
  readonly value: unknown;
}

/** Every value of the documents with its path, so that most conditions are about something that is there. */
export interface KnownValues {
  readonly scalars: Known[];
  /** What arrays hold, at the path of the array; of arrays in arrays too. */
  readonly elements: Known[];
  /** Objects and arrays, and what a wrong reading of a path into an array would find. */
  readonly others: Known[];
  readonly system: Known[];
}

export const operators =
  ' __eq __ne __gt __gte __lt __lte __gte:text __lt:text __contains __startswith __endswith __in __notin __isnull'.split(
    ' ',
  );

export const escaped = (name: string, separator: string) => name.replaceAll(separator, `\\${separator}`);
export const pathText = (path: readonly string[]) => path.map((key) => escaped(key, '.')).join('.');

export function knownValues(documents: readonly FlatDocument[]): KnownValues {
  const found: KnownValues = { scalars: [], elements: [], others: [], system: [] };
  const add = (path: readonly string[], value: unknown, isInArray: boolean): void => {
    const known = { path: pathText(path), value };
    if (isInArray || (typeof value === 'object' && value !== null)) found.others.push(known);
    else found.scalars.push(known);
  };
  const visit = (path: readonly string[], value: unknown, isInArray = false): void => {
    add(path, value, isInArray);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (Array.isArray(value) && !isInArray)
        for (const element of [member].flat()) found.elements.push({ path: pathText(path), value: element });
      if (key !== '') visit([...path, key], member, isInArray || Array.isArray(value));
    }
  };
  for (const document of documents) {
    for (const [key, value] of Object.entries(document)) {
      if (key === 'id' || key === 'createdAt' || key === 'updatedAt') found.system.push({ path: key, value });
      else if (key !== '') visit([key], value);
    }
  }
  return found;
}

/** Ways to write a value on a URL: first those that mean it, then some that nearly do. */
function writings(value: unknown): { same: string[]; near: string[] } {
  if (typeof value === 'number') {
    const plain = Object.is(value, -0) ? '-0' : String(value);
    const same = [plain, value.toExponential(), plain.includes('e') ? plain : `${plain}E0`];
    return { same, near: [`+${plain}`, `0${plain}`, ` ${plain}`, `${plain}.`, String(value + 1)] };
  }
  if (typeof value !== 'string') {
    const json = JSON.stringify(value);
    return { same: [json], near: [json.toUpperCase(), ''] };
  }
  if (!isTime(value)) return { same: [value], near: [value.toUpperCase(), value.toLowerCase(), `${value} `] };
  const ms = Date.parse(value);
  const inLagos = new Date(ms + 3_600_000).toISOString().slice(0, -1);
  const same = [
    value,
    `${inLagos}+01:00`,
    `${inLagos}+0100`,
    value.replace('T', ' '),
    value.replace('Z', '000'),
  ];
  const moved = [-1, 1].map((by) => new Date(ms + by).toISOString());
  return { same, near: [...moved, value.replace('Z', '4Z'), value.slice(0, 10), value.slice(0, 16)] };
}

const isText = ({ value }: Known) => typeof value === 'string';
const isTime = (value: string) => /^\d{4}-\d\d-\d\dT.*Z$/.test(value) && !Number.isNaN(Date.parse(value));

const writing = (value: unknown) => {
  const { same, near } = writings(value);
  return fc.oneof(
    { arbitrary: fc.constantFrom(...same), weight: 4 },
    { arbitrary: fc.constantFrom(...near), weight: 1 },
  );
};

/** A part of a string, in some case; or with a sign in it that a pattern would take for any character. */
function partOf(value: unknown, operator: string): fc.Arbitrary<string> {
  const letters = Array.from(typeof value === 'string' ? value : JSON.stringify(value));
  return fc
    .tuple(fc.nat({ max: letters.length }), fc.nat({ max: letters.length }), fc.nat({ max: 5 }))
    .map(([a, b, form]) => {
      const from = operator === '__startswith' ? 0 : Math.min(a, b);
      const to = operator === '__endswith' ? letters.length : Math.max(a, b);
      const part = letters.slice(from, to).join('');
      const masked = part.slice(0, -1).isWellFormed() ? part.slice(0, -1) : '';
      const upper = part.toUpperCase();
      return [part, upper, upper, part.toLowerCase(), `${masked}_`, `${masked}%`][form]!;
    });
}

/** Names that need the prefix always get it; others seldom. */
const named = (path: string) =>
  /^(limit|offset|orderBy|order|populate|cursor|select)$|__|[\s[\]]|^field:x/.test(path)
    ? fc.constant(`field:${path}`)
    : fc.oneof(
        { arbitrary: fc.constant(path), weight: 9 },
        { arbitrary: fc.constant(`field:${path}`), weight: 1 },
      );

/** `{field}{operator}` and its plain value. */
export function condition(known: KnownValues, paths: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> {
  const pick = (list: readonly Known[]) =>
    fc.constantFrom(...(list.length > 0 ? list : [{ path: 'a', value: 'a' }]));
  const texts = known.scalars.filter(isText);
  const anything = fc.oneof(
    text,
    fc.constantFrom(...kinds),
    pick(known.scalars).map(({ value }) => value),
  );
  const subject = (operator: string) =>
    fc.oneof(
      { arbitrary: pick(/with|contains/.test(operator) ? texts : known.scalars), weight: 8 },
      { arbitrary: pick(known.elements), weight: 2 },
      { arbitrary: pick(known.elements.filter(isText)), weight: operator === '__contains' ? 8 : 1 },
      { arbitrary: pick(known.others), weight: 1 },
      {
        arbitrary: pick(kinds.map((value) => ({ path: 'kind', value }))),
        weight: operator.endsWith('in') ? 4 : 2,
      },
      {
        arbitrary: pick(confusable.map((value) => ({ path: 'word', value }))),
        weight: /with|contains/.test(operator) ? 4 : 1,
      },
      {
        arbitrary: fc.record({ path: paths, value: pick(texts).map(({ value }) => value) }),
        weight: 1,
      },
      { arbitrary: pick(known.system), weight: 1 },
      { arbitrary: fc.record({ path: paths, value: anything }), weight: 2 },
    );
  const list = (value: unknown) =>
    fc
      .tuple(writing(value), fc.array(anything.chain(writing), { maxLength: 3 }), fc.nat({ max: 3 }))
      .map(([first, rest, form]) =>
        [first, ...rest].map((item) => (form > 0 ? escaped(item, ',') : item)).join(','),
      );
  return fc
    .constantFrom(...operators)
    .chain((operator) => fc.tuple(fc.constant(operator), subject(operator)))
    .chain(([operator, { path, value }]) => {
      const field = fc.oneof(
        { arbitrary: named(path), weight: 6 },
        { arbitrary: paths.map((other) => `${path}__or__${other}`), weight: 1 },
      );
      return fc.tuple(
        field.map((name) => name + operator),
        valueFor(operator, value),
      );
    });

  function valueFor(operator: string, value: unknown): fc.Arbitrary<string> {
    if (operator === '__isnull') return fc.constantFrom('true', 'false');
    if (operator === '__in' || operator === '__notin') return list(value);
    if (/with|contains/.test(operator) && !Array.isArray(value))
      return fc.oneof(
        { arbitrary: partOf(value, operator), weight: 3 },
        { arbitrary: writing(value), weight: 1 },
      );
    return writing(value);
  }
}
