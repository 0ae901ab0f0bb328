import { compareValues } from '@plinth/protocol';
import { matches, readQuery, valueAt } from '../../../src/features/data/query/index.ts';
import type { MatcherParts } from './one-meaning.ts';

type Filter = Parameters<typeof matches>[0];
type FilterTest = Extract<Filter, { kind: 'test' }>;

interface Place {
  readonly target: FilterTest['target'];
  readonly document: Parameters<typeof matches>[1];
}

/** The matcher, except that one kind of test is decided otherwise; undefined leaves it as it is. */
function deciding(
  decide: (test: FilterTest['test'], value: unknown, at: Place) => boolean | undefined,
): Partial<MatcherParts> {
  const planted: typeof matches = (filter, document) => {
    switch (filter.kind) {
      case 'and':
        return filter.of.every((part) => planted(part, document));
      case 'or':
        return filter.of.some((part) => planted(part, document));
      case 'not':
        return !planted(filter.of, document);
      case 'test':
        return (
          decide(filter.test, valueAt(filter.target, document), { target: filter.target, document }) ??
          matches(filter, document)
        );
      case 'linked':
        return matches(filter, document);
    }
  };
  return { matches: planted };
}

/** The matcher, except that the query is read as if another had been sent, or comes out changed. */
const reading = (change: (queryString: string) => string): Partial<MatcherParts> => ({
  readQuery: (queryString, scope) => readQuery(change(queryString), scope),
});

const comparing = (compare: (a: unknown, b: unknown) => number | undefined): Partial<MatcherParts> => ({
  compareValues: (a, b) => compare(a, b) ?? compareValues(a, b),
});

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const holds = {
  gt: (d: number) => d > 0,
  gte: (d: number) => d >= 0,
  lt: (d: number) => d < 0,
  lte: (d: number) => d <= 0,
};

const searching = (
  search: (kind: 'contains' | 'startswith' | 'endswith', text: string, folded: string) => boolean,
) =>
  deciding((test, value) =>
    (test.kind === 'contains' || test.kind === 'startswith' || test.kind === 'endswith') &&
    typeof value === 'string'
      ? search(test.kind, value, test.folded)
      : undefined,
  );

const methods = { contains: 'includes', startswith: 'startsWith', endswith: 'endsWith' } as const;

const neSkipsMissing: typeof matches = (filter, document) => {
  if (filter.kind === 'and') return filter.of.every((part) => neSkipsMissing(part, document));
  if (filter.kind === 'or') return filter.of.some((part) => neSkipsMissing(part, document));
  const denied = filter.kind === 'not' && filter.of.kind === 'test' ? filter.of : undefined;
  if (denied?.test.kind === 'equals' && valueAt(denied.target, document) === undefined) return false;
  return matches(filter, document);
};

/** Mistakes that a matcher or a SQL compiler of this language can easily make. */
export const plantedBugs: Record<string, Partial<MatcherParts>> = {
  'ne does not match a missing field': { matches: neSkipsMissing },
  'strings compare by UTF-16 unit': deciding((test, value) =>
    test.kind === 'compare' && typeof value === 'string' && typeof test.to === 'string'
      ? holds[test.comparison](order(value, test.to))
      : undefined,
  ),
  'strings sort by UTF-16 unit': comparing((a, b) =>
    typeof a === 'string' && typeof b === 'string' ? order(a, b) : undefined,
  ),
  'a final sigma is another letter': searching((kind, text, folded) =>
    text.toLowerCase()[methods[kind]](folded),
  ),
  'case is ignored by upper-casing': searching((kind, text, folded) =>
    text.toUpperCase()[methods[kind]](folded.toUpperCase()),
  ),
  'search minds case': searching((kind, text, folded) => text[methods[kind]](folded)),
  'an underscore stands for any character': searching((kind, text, folded) => {
    const pattern = folded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.');
    const anchored = { contains: pattern, startswith: `^(?:${pattern})`, endswith: `(?:${pattern})$` }[kind];
    return new RegExp(anchored, 'isu').test(text.toLowerCase().replaceAll('ς', 'σ'));
  }),
  'contains looks inside the elements of an array': deciding((test, value) =>
    test.kind === 'contains' && Array.isArray(value)
      ? value.some((element) => typeof element === 'string' && element.toLowerCase().includes(test.folded)) ||
        undefined
      : undefined,
  ),
  'numbers compare as text': deciding((test, value) =>
    test.kind === 'compare' && typeof value === 'number' && typeof test.to === 'number'
      ? holds[test.comparison](order(String(value), String(test.to)))
      : undefined,
  ),
  'a number is whatever JavaScript reads as one': deciding((test, value) =>
    test.kind === 'equals' && typeof value === 'number'
      ? test.candidates.some((candidate) => Number(candidate) === value)
      : undefined,
  ),
  'equality does not look into arrays': deciding((test, value) =>
    test.kind === 'equals' && Array.isArray(value) ? false : undefined,
  ),
  'equality looks into arrays in arrays': deciding((test, value) =>
    test.kind === 'equals' && Array.isArray(value)
      ? value.flat().some((element) => test.candidates.includes(element as string))
      : undefined,
  ),
  'null and missing are not alike': deciding((test, value) =>
    test.kind === 'isnull' && value === undefined ? false : undefined,
  ),
  'null sorts after missing': comparing((a, b) =>
    (a ?? null) === null && (b ?? null) === null ? Number(a === null) - Number(b === null) : undefined,
  ),
  'true sorts before false': comparing((a, b) =>
    typeof a === 'boolean' && typeof b === 'boolean' ? Number(b) - Number(a) : undefined,
  ),
  'objects sort after arrays': comparing((a, b) =>
    typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
      ? Number(Array.isArray(b)) - Number(Array.isArray(a))
      : undefined,
  ),
  'equal documents are in the order of their creation whatever the direction': {
    readQuery: async (queryString, scope) => {
      const query = await readQuery(queryString, scope);
      return { ...query, sort: [...query.sort.slice(0, -1), { ...query.sort.at(-1)!, descending: false }] };
    },
  },
  'an escaped comma splits a list': reading((sent) => sent.replace(/%5C(,|%2C)/g, '%2C')),
  'every group is the plain one': reading((sent) =>
    sent.replace(/(\[|%5B)or(:|%3A)[^\]%=]*(\]|%5D)/g, '[or]'),
  ),
  'only the first of several fields counts': reading((sent) =>
    sent.replace(/__or__[^=&]*?(?=(__[a-z]+)?=)/g, ''),
  ),
  'a digit is a position in an array': deciding((test, value, { target, document }) => {
    if (target.kind !== 'json' || value !== undefined) return undefined;
    const found = target.path.reduce<unknown>(
      (from, key) => (from as Record<string, unknown> | null | undefined)?.[key],
      document.data,
    );
    const filter: Filter = { kind: 'test', target: { kind: 'json', column: 'data', path: ['found'] }, test };
    return found === undefined || typeof found === 'function'
      ? undefined
      : matches(filter, { ...document, data: { found } });
  }),
};
