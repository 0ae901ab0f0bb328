import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Yielder } from '../concurrency/yielder.ts';
import { AppError } from '../errors.ts';
import { parseJson } from './parse-json.ts';
import { parseLargeJson } from './parse-large-json.ts';

const read = (text: string, checkCount = (_count: number) => {}) =>
  parseLargeJson({ text, yielder: new Yielder('test'), maxLevels: 34, longestElement: 1000, checkCount });

async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

const name = fc.string({ unit: fc.constantFrom('a', '"', '\\', '[', '{', ',', ']', 'é'), maxLength: 4 });
const item = fc.dictionary(name, fc.oneof(name, fc.integer(), fc.array(name, { maxLength: 3 })), {
  maxKeys: 3,
});

test('9: what is read piece by piece is what is read at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 6 }), fc.boolean(), async (documents, isSpaced) => {
      const given = JSON.stringify({ documents }, undefined, isSpaced ? 2 : 0);
      expect(await read(given)).toEqual(parseJson(given, 34));
    }),
    { numRuns: 500 },
  );
});

test('9: what is not JSON is refused, wherever something was cut out or put in', async () => {
  const text = '{"documents":[{"a":[1,"x]"]},{"b":"\\"{"},{}],"more":{"c":[1]}}';
  const place = fc.nat({ max: text.length });
  const put = fc.constantFrom('', ',', ']', '[', '{', '}', '"', '\\', '0', ' ', 'x');
  await fc.assert(
    fc.asyncProperty(place, fc.nat({ max: 3 }), put, async (at, cut, added) => {
      const broken = `${text.slice(0, at)}${added}${text.slice(at + cut)}`;
      const whole = await outcome(() => parseJson(broken, 34));
      const pieces = await outcome(() => read(broken));
      if (whole === 'invalid_body' || whole === 'invalid_json_value')
        expect([whole, 'invalid_body']).toContain(pieces);
      else if (pieces !== 'invalid_body') expect(pieces).toEqual(whole);
    }),
    { numRuns: 2000 },
  );
});

test('9: too many items are refused before they are read, and one that is too long too', async () => {
  const refuse = (count: number) => {
    if (count > 3) throw new RangeError(`${count}`);
  };
  await expect(read('{"documents":[x,y,z,x]}', refuse)).rejects.toThrow('4');
  expect(await outcome(() => read(`{"documents":["${'x'.repeat(1000)}"]}`))).toBe('body_too_large');
});

test('9: where something is wrong is said as for the whole', async () => {
  await expect(read('{"documents":[{},{"a":{"__proto__":1}}]}')).rejects.toMatchObject({
    code: 'invalid_json_value',
    details: { path: 'documents.1.a' },
  });
});
