import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { type FileKind, headBytes, wantedHead } from '../kinds/index.ts';
import { fileTooLarge } from '../records/index.ts';
import { unsupportedFileType } from './errors.ts';

/** Bytes on their way to the blob store: fails if there are too many, or if they are not what the name claims. */
export class CheckedBody extends Transform {
  readonly #kind: FileKind;
  readonly #maxBytes: number;
  readonly #wantedHead: number;
  #head: Buffer[] = [];
  #headLength = 0;
  readonly #hash: Hash | undefined;
  #isChecked = false;
  size = 0;

  constructor(kind: FileKind, maxBytes: number, wantsDigest = false) {
    super({ highWaterMark: 1_048_576 });
    this.#kind = kind;
    this.#maxBytes = maxBytes;
    this.#hash = wantsDigest ? createHash('sha256') : undefined;
    this.#wantedHead = wantedHead(kind);
  }

  /** The beginning of the file. */
  get head(): Buffer {
    return Buffer.concat(this.#head);
  }

  /** SHA-256 of the whole content, if it was asked for. */
  get digest(): string | undefined {
    return this.#hash?.digest('hex');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.#maxBytes) return done(fileTooLarge(this.#maxBytes));
    this.#hash?.update(chunk);
    if (this.#headLength < this.#wantedHead) {
      this.#head.push(chunk);
      this.#headLength += chunk.length;
    }
    if (this.#isChecked) return done(null, chunk);
    // Nothing is passed on before the beginning is known to fit.
    if (this.#headLength < headBytes) return done();
    this.#check(done);
  }

  override _flush(done: TransformCallback): void {
    if (this.#isChecked) return done();
    this.#check(done);
  }

  #check(done: TransformCallback): void {
    const head = this.head;
    if (!this.#kind.fits(head.subarray(0, headBytes))) {
      return done(unsupportedFileType(`The content does not match a .${this.#kind.extension} file.`));
    }
    this.#isChecked = true;
    done(null, head);
  }
}
