import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readFrames, writeFrame } from './frames.ts';

async function written(): Promise<Buffer> {
  const wire = new PassThrough();
  writeFrame(wire, 'body', 'a'.repeat(300));
  writeFrame(wire, 'body', 'ü');
  writeFrame(wire, 'end');
  wire.end();
  return Buffer.concat(await wire.toArray());
}

async function read(chunks: readonly Buffer[]): Promise<[kind: string, text: string][]> {
  const frames: [string, string][] = [];
  for await (const { kind, content } of readFrames(Readable.from(chunks)))
    frames.push([kind, content.toString()]);
  return frames;
}

test.each([1, 2, 4, 5, 6, 299, 305, 306, 1000])('frames are read from chunks of %i bytes', async (size) => {
  const bytes = await written();
  const count = Math.ceil(bytes.length / size);
  const chunks = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
  expect(await read(chunks)).toEqual([
    ['body', 'a'.repeat(300)],
    ['body', 'ü'],
    ['end', ''],
  ]);
});

test('what is no frame, or one of more than 32 MB, is not waited for', async () => {
  const large = Buffer.from((await written()).subarray(0, 5));
  large.writeUInt32BE(32 * 1_048_576 + 1, 1);
  await expect(read([large])).rejects.toThrow('does not speak as it should');
  await expect(read([Buffer.from('GET / HTTP/1.1')])).rejects.toThrow('does not speak as it should');
});
