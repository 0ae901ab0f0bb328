import fc from 'fast-check';
import { type Body, fieldNames, kinds } from '../query/arbitrary-documents.ts';
import { confusable, text, value } from '../query/arbitrary-values.ts';

/**
 * A sort key keeps 128 characters of a string. These differ before, at and after the cut, some only there; characters
 * outside the BMP are one character and two units of JavaScript.
 */
export const cutStrings: readonly string[] = [
  ...[126, 127, 128, 129].flatMap((length) =>
    ['', 'l', 'a', 'b', '😀', '\uffff', '😀b', 'Σ', 'ς', 'lb', `${'l'.repeat(300)}a`].map(
      (end) => 'l'.repeat(length) + end,
    ),
  ),
  ...[126, 127, 128].flatMap((length) => ['', 'a', '😀', '\uffff'].map((end) => '😀'.repeat(length) + end)),
  ...[63, 64, 65].map((length) => '😀'.repeat(length)),
  ...[127, 128, 129].flatMap((zeros) => [`1${'0'.repeat(zeros)}`, `${'0'.repeat(zeros)}x`]),
  `${'l'.repeat(126)}%_`,
  `${'l'.repeat(127)}\\'"`,
  `${'L'.repeat(128)}a`,
];

const cutText = fc.constantFrom(...cutStrings);

const edges = [
  -1e308,
  1e308,
  -1.7976931348623157e308,
  -0,
  0,
  1e-7,
  -1e-7,
  5,
  1e128,
  1e127,
  10,
  1.5,
  2 ** 53 - 1,
];

const readsAsNumber = ['5e0', '5', '1.0', '1.50', '1E1', '-0', '0.0000001', '1e-7', '1e400', '+5', '05'];

const number = fc.constantFrom(...edges);
const word = fc.constantFrom(
  ...confusable,
  '100%',
  '1000',
  'snake_case',
  'snakeXcase',
  `it's`,
  '"',
  '\\',
  '',
);

const element: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: text, weight: 3 },
  { arbitrary: number, weight: 3 },
  { arbitrary: fc.constantFrom<unknown>(...readsAsNumber, true, false, null), weight: 2 },
  { arbitrary: cutText, weight: 2 },
  { arbitrary: fc.array(fc.oneof(text, number), { maxLength: 2 }), weight: 1 },
  { arbitrary: fc.constantFrom({}, { city: 'x' }), weight: 1 },
);

const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: usual, weight: 6 }, { arbitrary: value, weight: 2 });

const deep = fc.record(
  { city: mostly(word), cut: cutText, deep: fc.record({ city: value }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);

const fields = {
  cut: mostly(cutText),
  kind: fc.constantFrom<unknown>(...kinds),
  n: mostly(number),
  num: mostly(fc.constantFrom<unknown>(...readsAsNumber, ...edges)),
  list: mostly(fc.array(element, { maxLength: 4 })),
  word: mostly(word),
  deep: mostly(deep),
};

/** Names that must survive as part of a statement. */
const oddNames = fieldNames.filter((name) => /[^a-z]/i.test(name) && !/__|^\[|^field:|^(0)$/.test(name));

const body: fc.Arbitrary<Body> = fc
  .tuple(
    fc.record(fields, { requiredKeys: [] }),
    fc.array(fc.tuple(fc.constantFrom(...oddNames), mostly(word)), { maxLength: 3 }),
  )
  .map(([known, odd]) => ({ ...known, ...Object.fromEntries(odd) }));

/** The documents of a round: the same for the same seed. */
export function indexedBodies(seed: number, count: number): Body[] {
  return fc.sample(fc.array(body, { minLength: count, maxLength: count }), { seed, numRuns: 1 })[0]!;
}

const dotted = (name: string) => name.replaceAll('.', '\\.');

/** Paths that an index can have: some of them are in most documents, some in none. */
export const indexedPath: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom('cut', 'cut', 'cut', 'list', 'list', ...Object.keys(fields)), weight: 6 },
  {
    arbitrary: fc.constantFrom('deep.city', 'deep.cut', 'deep.deep.city', 'deep.a\\.b', 'deep.0'),
    weight: 2,
  },
  { arbitrary: fc.constantFrom(...oddNames.map(dotted)), weight: 1 },
);
