import type { Readable } from 'node:stream';

/**
 * Where the bytes of files are kept. Keys are made by the service alone: segments of `[A-Za-z0-9._-]` joined by `/`,
 * never a segment of dots only, never anything a caller wrote. No key is the beginning of another up to a `/`.
 */
export interface BlobStore {
  /** For logs: `folder …` or `bucket …`. */
  readonly description: string;

  /**
   * Stores the whole body, streaming. Once it resolves, the bytes survive a crash and every node can read them. If the
   * body fails, it rejects with the body's error, and nothing can be read under the key. If the store fails, the rest of
   * the body is left to the caller, who may have an answer to send on the same connection.
   */
  put(key: string, body: Readable): Promise<void>;

  /** The bytes from `start` to `end`, both included; undefined: there are none under the key. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;

  sizeOf(key: string): Promise<number | undefined>;

  /** Copies inside the store, without the bytes passing through this node. False: there is nothing under `from`. */
  copy(from: string, to: string): Promise<boolean>;

  /** Removes everything under `<prefix>/`, also what is half written. Does nothing if there is nothing. */
  removeAll(prefix: string): Promise<void>;

  /**
   * Adds the body to what earlier calls stored under the key. The progress that the caller kept says how far they came:
   * what the store holds beyond it is overwritten. `save` is called whenever more bytes have become durable. If the body
   * fails, what had arrived is saved too, and the call rejects with the body's error. One call at a time.
   */
  append(key: string, from: AppendProgress, body: Readable, save: SaveProgress): Promise<void>;

  /** Makes what was appended readable under the key. */
  finishAppend(key: string, progress: AppendProgress): Promise<void>;

  /** An address to which a client can send the bytes itself; undefined where the store has none to offer. */
  presignPut(key: string, options: PresignOptions): Promise<string | undefined>;

  /** Fails if the store cannot be reached. */
  check(): Promise<void>;

  close(): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How far an append has come; JSON, kept by the caller between calls. Only the store reads `state`. */
export interface AppendProgress {
  readonly size: number;
  readonly state?: unknown;
}

export const nothingAppended: AppendProgress = { size: 0 };

export type SaveProgress = (progress: AppendProgress) => Promise<void>;

export interface PresignOptions {
  /** The exact number of bytes; the store refuses any other. */
  readonly size: number;
  readonly expiresInSeconds: number;
}
