import { Duplex, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** What is read from code before others have their turn: a question is longer than 30 bytes. */
const bytesAtOnce = 4096;

/** A connection that gives what it reads in small pieces, so that thousands of questions in one packet are not read in a row. */
export function inTurns(connection: Duplex): Duplex {
  return Duplex.from({
    readable: Readable.from(pieces(connection), { objectMode: false }),
    writable: connection,
  });
}

async function* pieces(connection: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of connection)
    for (let at = 0; at < chunk.length; at += bytesAtOnce) {
      if (at > 0) await turn();
      yield chunk.subarray(at, at + bytesAtOnce);
    }
}
