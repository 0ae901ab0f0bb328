import type { Duplex, Readable } from 'node:stream';
import { guarded } from '../../../../platform/guarded.ts';

/** What nodes and pools tell each other of a call. A letter, the length, and the content. */
const letters = {
  /** All of a call but its body; all of an answer but its body. */
  head: 'H',
  /** The pool has a process for the call, and wants its body. */
  wanted: 'W',
  body: 'B',
  /** The end of a body. */
  end: 'E',
  /** The answer was cut off, and why. */
  cut: 'C',
  /** Whoever wanted the answer has gone. */
  leave: 'G',
  log: 'L',
  /** There is no answer, and why. */
  failed: 'F',
  /** The call has ended with all that belongs to it. */
  done: 'D',
} as const;

export type FrameKind = keyof typeof letters;

export interface Frame {
  readonly kind: FrameKind;
  readonly content: Buffer;
}

const kinds = new Map(
  Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as FrameKind]),
);
const headBytes = 5;
/** Bytes of one frame. The settings of a project are in one. */
const mostBytes = 32 * 1_048_576;

/** Returns whether more can be written before it has been read. */
export function writeFrame(to: Duplex, kind: FrameKind, content: string | Buffer = ''): boolean {
  if (to.destroyed || to.writableEnded) return true;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const head = Buffer.alloc(headBytes);
  head.write(letters[kind], 0, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return to.write(Buffer.concat([head, bytes]));
}

/** The frames of a stream, until it ends; throws when it breaks off. */
export async function* readFrames(from: Readable): AsyncGenerator<Frame> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted = headBytes;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // A large frame comes in many chunks, which are put together once.
    if (bytes < wanted) continue;
    let rest = Buffer.concat(chunks);
    for (wanted = bytesOfFrame(rest); rest.length >= wanted; wanted = bytesOfFrame(rest)) {
      yield { kind: kinds.get(rest[0]!)!, content: rest.subarray(headBytes, wanted) };
      rest = rest.subarray(wanted);
    }
    chunks = [rest];
    bytes = rest.length;
  }
}

/** How long the first frame is, as far as can be said. */
function bytesOfFrame(bytes: Buffer): number {
  if (bytes.length < headBytes) return headBytes;
  const length = bytes.readUInt32BE(1);
  if (!kinds.has(bytes[0]!) || length > mostBytes)
    throw new Error('The other side does not speak as it should.');
  return headBytes + length;
}

/** Writes a body piece by piece, no faster than it is read. */
export async function writeBody(to: Duplex, body: Readable): Promise<void> {
  for await (const chunk of body as AsyncIterable<Buffer | string>) {
    if (to.destroyed) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (!writeFrame(to, 'body', bytes)) await drained(to);
  }
  writeFrame(to, 'end');
}

/** Resolves when more can be written, or nothing more ever will be. */
export function drained(to: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const go = guarded(
      () => {},
      () => {
        to.off('drain', go);
        to.off('close', go);
        resolve();
      },
    );
    to.once('drain', go);
    to.once('close', go);
    if (to.destroyed) go();
  });
}
