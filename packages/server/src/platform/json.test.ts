import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from './json.ts';

/** Reads a text with names taken from a Map, so that nothing depends on the parser's memory of names. */
const entriesOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(entriesOf)
      : Object.entries(value).map(([name, member]) => [name, entriesOf(member)]);

const name = fc.string({
  unit: fc.constantFrom('a', 'b', '\\', '"', '\n', 'é', '\u0001', 'u', '0', '😀'),
  maxLength: 5,
});
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 1.5, 'text', 'back\\slash', '"quoted":', 'a\nb'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Every character of a name as an escape, as some clients write what is not ASCII. */
const escaped = (text: string) =>
  text.replaceAll(/[^"\\a-z0-9{}[\]:,.\s-]/g, (character) =>
    character.charCodeAt(0) < 32 ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

test('names come out as they were written, whatever was read before', () => {
  fc.assert(
    fc.property(json, fc.boolean(), (value, inEscapes) => {
      const text = JSON.stringify(value);
      expect(entriesOf(parseJsonText(inEscapes ? escaped(text) : text))).toEqual(entriesOf(value));
    }),
    { numRuns: 3000 },
  );
});

test('what is not JSON stays refused', () => {
  for (const text of [
    '{"a\\x":1}',
    '{"a\\":1}',
    '"\\',
    '{"a\\n" 1}',
    '{"a\\n":1}}',
    '{"a\nb\\n":1}',
    "{'a\\n':1}",
  ]) {
    expect(() => parseJsonText(text), text).toThrow(SyntaxError);
  }
});

test('the last of two equal names wins, however they are written', () => {
  expect(parseJsonText('{"\\u0061":1,"a":2}')).toEqual({ a: 2 });
  expect(parseJsonText('{"a\\n":1,"a\\u000a":2}')).toEqual({ 'a\n': 2 });
});

test('"__proto__" written with escapes is a name like any other', () => {
  const value = parseJsonText('{"__proto\\u005f_":{"x":1},"q\\"":1}') as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'q"']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

const megabyte = 1_048_576;
const fill = (piece: string) => piece.repeat(megabyte / piece.length);
const each = (count: number, piece: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => piece(n)).join();

/** Texts of a megabyte that a careless reader takes long for, or many times their size. */
const worst: Readonly<Record<string, string>> = {
  'escaped quotes that never end': `"${fill('\\"')}`,
  'escaped quotes': `"${fill('\\"')}"`,
  'a name of escaped quotes': `{"${fill('\\"')}":1}`,
  quotes: fill('"'),
  'backslashes that never end': `"${fill('\\\\')}`,
  'a name of line breaks': `{"${fill('\\n')}":1}`,
  'many names with line breaks': `{${each(100_000, (n) => `"\\n${n}":1`)}}`,
  'many names with escapes that need none': `{${each(70_000, (n) => `"\\u0041${n}":1`)}}`,
  'one name with an escape again and again': `[${each(116_000, () => '{"\\n":1}')}]`,
  'equal names with escapes': `{${each(150_000, () => '"\\n":1')}}`,
  'arrays that never close': fill('['),
  'objects that never close': fill('{"a":'),
  'arrays in arrays': `${'['.repeat(megabyte / 2)}${']'.repeat(megabyte / 2)}`,
  'objects with escapes in objects': `${'{"\\n":'.repeat(130_000)}1${'}'.repeat(130_000)}`,
  'blanks after a string': `["\\n"${fill(' ')}]`,
  'blanks before a colon': `{"\\n"${fill(' ')}:1}`,
  'blanks after each string': `[${each(130_000, () => '"\\n"  ')}]`,
  'strings that look like names': `[${each(100_000, () => '"\\":1"')}]`,
  'empty objects': `[${each(340_000, () => '{}')}]`,
  'zero bytes': `["${fill('\\u0000')}"]`,
  'halves of pairs': `["${fill('\\ud800')}"]`,
  digits: fill('9'),
};

test.each(Object.entries(worst))(
  '1: a megabyte of %s takes a time that grows with the text only',
  (_shape, text) => {
    const cost = () => {
      const start = process.cpuUsage();
      try {
        parseJsonText(text);
      } catch (error) {
        if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
      }
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    // Of a core, and far above what it takes: a reader that is quadratic takes minutes.
    expect(cost()).toBeLessThan(20_000_000);
  },
);
