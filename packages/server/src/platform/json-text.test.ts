import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJsonText } from './json.ts';
import { onlyPaths, PathTree, withoutPaths } from './json-text.ts';

type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

const isObject = (value: Value): value is { [name: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same, in the plainest way. */
function removed(value: Value, path: readonly string[]): Value {
  if (Array.isArray(value)) return value.map((element) => removed(element, path));
  if (!isObject(value)) return value;
  const [name, ...rest] = path;
  const fields = Object.entries(value).filter(([own]) => own !== name || rest.length > 0);
  return Object.fromEntries(fields.map(([own, inner]) => [own, own === name ? removed(inner, rest) : inner]));
}

function chosen(value: { [name: string]: Value }, paths: readonly (readonly string[])[]): Value {
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Value][] => {
    const own = paths.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (own.some((path) => path.length === 0)) return [[name, inner]];
    return own.length > 0 && isObject(inner) ? [[name, chosen(inner, own)]] : [];
  });
  return Object.fromEntries(kept);
}

const names = fc.constantFrom('a', 'b', 'c"', '\\', '\n', 'é', '', 'toString');
const values = fc.letrec<{ value: Value; object: { [name: string]: Value } }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Value>(null, true, -1.5e10, '', '"', '\\', '},{"a":', ', '),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const paths = fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
/** As PostgreSQL writes it. */
function written(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${written(inner)}`);
  return `{${fields.join(', ')}}`;
}

describe('of any document', () => {
  test.each([written, JSON.stringify])('what is left out might never have been there', (write) => {
    fc.assert(
      fc.property(values.object, paths, (document, paths) => {
        const left = paths.reduce(removed, document as Value);
        expect(withoutPaths(write(document), new PathTree(paths))).toBe(write(left));
      }),
      { numRuns: 2000 },
    );
  });

  test('what is at the paths is kept, and nothing else', () => {
    fc.assert(
      fc.property(values.object, paths, (document, paths) => {
        const kept = onlyPaths(written(document), new PathTree(paths));
        expect(parseJsonText(kept)).toEqual(chosen(document, paths));
      }),
      { numRuns: 2000 },
    );
  });
});

test('a text in which nothing is left out stays as it is', () => {
  const text = '{"b": 1.50, "a": [{"x": 1}, []]}';
  expect(withoutPaths(text, new PathTree([['a', 'y'], ['c']]))).toBe(text);
});

test('names that objects have of their own are names like others', () => {
  const text = '{"__proto__": {"constructor": 1, "b": 2}, "constructor": 3}';
  expect(withoutPaths(text, new PathTree([['__proto__', 'b'], ['constructor']]))).toBe(
    '{"__proto__": {"constructor": 1}}',
  );
  expect(onlyPaths(text, new PathTree([['__proto__', 'constructor']]))).toBe(
    '{"__proto__": {"constructor": 1}}',
  );
});
