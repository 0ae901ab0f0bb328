import { describe, expect, test } from 'vitest';
import { outlineOf } from './outline.ts';

const long = 'x'.repeat(20_000);
const outline = (document: unknown) => {
  const { data, omitted } = outlineOf(JSON.stringify(document));
  return { document: JSON.parse(data) as unknown, omitted };
};

describe('the outline of a document', () => {
  test('is the document, if it is small', () => {
    const text = '{"b": 1.50, "a": [1, 2]}';
    expect(outlineOf(text)).toEqual({ data: text, omitted: [] });
  });

  test('keeps short values, also inside objects, and says where long ones were', () => {
    const document = { owner: 'ada', meta: { state: 'open', text: long }, tags: ['a', 'b'], body: long };
    expect(outline(document)).toEqual({
      document: { owner: 'ada', meta: { state: 'open' }, tags: ['a', 'b'] },
      omitted: [['body'], ['meta', 'text']],
    });
  });

  test('prefers many short values to one that is longer', () => {
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]));
    const middle = 'y'.repeat(7900);
    expect(outline({ middle, ...fields, long })).toEqual({
      document: fields,
      omitted: [['middle'], ['long']],
    });
  });

  test('of a document with too many values is nothing', () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n]));
    expect(outline(fields)).toEqual({ document: {}, omitted: [[]] });
    const texts = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}`, long]));
    expect(outline(texts)).toEqual({ document: {}, omitted: [[]] });
  });

  test('survives names that objects have of their own', () => {
    const text = `{"__proto__": {"constructor": 1}, "long": "${long}"}`;
    expect(outlineOf(text)).toEqual({ data: '{"__proto__":{"constructor":1}}', omitted: [['long']] });
  });

  test('is small, however large the document', () => {
    for (const document of [
      { a: Array.from({ length: 300_000 }, () => ({})) },
      { [long]: 1 },
      { a: { b: { c: long } } },
    ])
      expect(outlineOf(JSON.stringify(document)).data.length).toBeLessThan(9000);
  });
});
