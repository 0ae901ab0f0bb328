import fc from 'fast-check';

/** Cased letters that came after Unicode 10: how they fold is outside the promise. */
export const newerLetters =
  /[\u{1c89}-\u{1cbf}\u{2c2f}\u{2c5f}\u{a7af}\u{a7b8}-\u{a7dc}\u{a7f2}-\u{a7f6}\u{10570}-\u{105bf}\u{10d50}-\u{10d85}\u{16e40}-\u{16eff}]/u;

const pieces = [
  ['a', 'A', 'b', 'z', 'ß', 'ẞ', 'SS', 'İ', 'I', 'i', 'ı', 'Σ', 'σ', 'ς', 'É', 'é', '\u0301', 'ﬀ', 'Ǆ', 'Ⅷ'],
  ['\u212a', '\u212b', '😀', '\u{10428}', '\u{10400}', '\u{10ffff}', '\ufffd', '\ue000', '\ud7ff', '5'],
  ['%', '_', '\\', ',', '.', "'", '"', ' ', '\n', '&', '=', '+', '#', '$'],
].flat();

const ready = [
  ['', 'true', 'false', 'null', '10', '1e1', '-0', '05', '9', '{}', '2026-01-31', '2026-01-31T12:00:00.000Z'],
  ['a,b', 'a\\,b', 'back\\', '100%', '1000', '100\\', 'snake_case', 'snake case', 'snakecase'],
].flat();

/** Families of strings that some way of ignoring case takes for the same, and another does not. */
export const confusable = [
  ['Lagos', 'lagos', 'LAGOS', 'Straße', 'STRASSE', 'strasse', 'STRAẞE', 'ΟΔΟΣ', 'οδος', 'οδοσ', 'Οδός'],
  ['İstanbul', 'istanbul', 'Istanbul', 'ıstanbul', 'i\u0307stanbul', 'ﬀ', 'FF'],
  ['É', 'é', 'E\u0301', 'e\u0301'],
].flat();

/** A hundred characters are what a cursor keeps of a string: these differ only after, around or just before there. */
const longStrings = [95, 98, 99, 100, 101, 130].flatMap((length) =>
  ['', 'a', 'b', '😀', '\uffff', '😀b'].map((end) => 'l'.repeat(length) + end),
);

const anyCharacters = fc
  .string({ unit: 'binary', maxLength: 5 })
  .map((text) =>
    Array.from(text, (letter) => (letter === '\0' || newerLetters.test(letter) ? 'n' : letter)).join(''),
  );

export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...ready), weight: 4 },
  { arbitrary: fc.constantFrom(...confusable), weight: 3 },
  {
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((some) => some.join('')),
    weight: 5,
  },
  { arbitrary: fc.constantFrom(...longStrings), weight: 1 },
  { arbitrary: anyCharacters, weight: 2 },
);

export const longText = fc.constantFrom(...longStrings);

const numbers = [
  0,
  -0,
  1,
  -1,
  5,
  9,
  10,
  0.1,
  0.3,
  -2.5,
  1e21,
  -1e21,
  5e-324,
  1.7976931348623157e308,
  2 ** 53 - 1,
];

const number: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constantFrom(...numbers), weight: 4 },
  { arbitrary: fc.constantFrom(0.1 + 0.2, 2 ** 70, 1e-7, 1e23), weight: 1 },
  { arbitrary: fc.integer({ min: -20, max: 20 }), weight: 2 },
  { arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isStorable), weight: 2 },
);

/** Integers that a double does not hold exactly are refused, unless they are so large that they have an exponent. */
function isStorable(number: number): boolean {
  return !Number.isInteger(number) || Number.isSafeInteger(number) || Math.abs(number) >= 1e21;
}

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: text, weight: 5 },
  { arbitrary: number, weight: 4 },
  { arbitrary: fc.boolean(), weight: 1 },
  { arbitrary: fc.constant(null), weight: 1 },
);

export const innerNames = ['city', 'a.b', 'x y', '0', '$in', 'odd__name', 'ß', 'limit', 'deep'];

const element: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: scalar, weight: 6 },
  { arbitrary: fc.array(scalar, { maxLength: 2 }), weight: 2 },
  { arbitrary: fc.dictionary(fc.constantFrom(...innerNames), scalar, { maxKeys: 2 }), weight: 1 },
);

const anObject = (member: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...innerNames), member, { maxKeys: 4, noNullPrototype: true });

/** Any JSON value, mostly of the kinds where readings part. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: scalar, weight: 8 },
  { arbitrary: fc.array(element, { maxLength: 4 }), weight: 2 },
  { arbitrary: anObject(fc.oneof(scalar, anObject(scalar), fc.array(element, { maxLength: 2 }))), weight: 2 },
);
