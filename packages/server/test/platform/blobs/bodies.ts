import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export const kilobytes = (count: number) => count * 1024;
export const megabytes = (count: number) => count * 1024 * 1024;

const chunkSize = 65_536;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}

/** A body as a network gives it: in chunks, none before it is asked for. */
export const bodyOf = (bytes: Buffer): Readable => Readable.from(chunksOf(bytes), { objectMode: false });

/** Sends some bytes and then fails. What it had not handed on yet is lost, as with a connection. */
export function failingBody(bytes: Buffer, error: Error): Readable {
  const chunks = function* () {
    yield* chunksOf(bytes);
    throw error;
  };
  return Readable.from(chunks(), { objectMode: false });
}

/** Sends some bytes and is then gone, without an error. */
export function vanishingBody(bytes: Buffer): Readable {
  const chunks = chunksOf(bytes);
  return new Readable({
    read() {
      const { done, value } = chunks.next();
      if (done) this.destroy();
      else this.push(value);
    },
  });
}

/** Sends the same bytes again and again, and calls `watch` from time to time. */
export function repeatingBody(
  size: number,
  { every, watch }: { every: number; watch: () => void },
): Readable {
  const chunk = Buffer.alloc(chunkSize, 'x');
  const chunks = function* () {
    for (let sent = 0; sent < size; sent += chunkSize) {
      if (sent % every === 0) watch();
      yield chunk;
    }
  };
  return Readable.from(chunks(), { objectMode: false });
}

export async function contentOf(body: Readable | undefined): Promise<Buffer | undefined> {
  return body && buffer(body);
}
