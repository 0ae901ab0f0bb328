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
