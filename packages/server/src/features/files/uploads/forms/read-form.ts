import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MIMEType } from 'node:util';
import { Dicer } from '@fastify/busboy';
import type { IncomingForm, RequestContext } from '../../../../calls/index.ts';
import { guarded } from '../../../../platform/guarded.ts';
import { bodyTooLarge, invalidBody, isBrokenOff } from '../../../../platform/http/errors.ts';
import { jsonBodyLimit } from '../../../../platform/http/server.ts';
import { type FilesDeps, formLimitsOf, invalidFileName } from '../../records/index.ts';
import { discardStaged, type StagedFile, stageFile } from '../stage-file.ts';
import { type PartHead, readPartHead } from './part-head.ts';

/** A file part: which field it fills. */
export interface FilePart {
  readonly field: string;
  readonly file: StagedFile;
}

/** Everything a multipart body held, in its order. */
export interface FormParts {
  readonly texts: ReadonlyMap<string, string>;
  readonly files: readonly FilePart[];
}

const maxParts = 120;
/** With the default of 64 KB, the connection is paused and resumed for every chunk. */
const roomy = { highWaterMark: 1_048_576, partHwm: 1_048_576 };
const broken = () =>
  invalidBody('The form is incomplete, or is not multipart/form-data as its Content-Type says.');

/** Reads a multipart body to its end, storing its files on the way. If anything is wrong with it, none are kept. */
export async function readForm(
  deps: Pick<FilesDeps, 'blobs' | 'requireRoom'>,
  context: RequestContext,
  { payload, headers }: Pick<IncomingForm, 'payload' | 'headers'>,
): Promise<FormParts> {
  const reader = new FormReader(deps, context, headers);
  try {
    await reader.read(payload);
    return await reader.finished();
  } catch (error) {
    throw await reader.giveUp(error);
  }
}

/**
 * The parser only finds the parts. What they are is decided here, and what is not understood is refused: a part that
 * was skipped would be a file lost in silence.
 */
class FormReader {
  readonly parser: Dicer;
  readonly #deps: Pick<FilesDeps, 'blobs' | 'requireRoom'>;
  readonly #context: RequestContext;
  readonly #wantsDigest: boolean;
  readonly #texts = new Map<string, string>();
  readonly #files: Promise<FilePart>[] = [];
  readonly #open = new Set<Readable>();
  #parts = 0;
  #textBytes = 0;
  /** The head of the latest part has not ended yet. */
  #isInHead = false;
  #failure: Error | undefined;

  constructor(
    deps: Pick<FilesDeps, 'blobs' | 'requireRoom'>,
    context: RequestContext,
    headers: IncomingHttpHeaders,
  ) {
    this.#deps = deps;
    this.#context = context;
    this.#wantsDigest = headers['idempotency-key'] !== undefined;
    this.parser = new Dicer({ boundary: boundaryOf(headers), maxHeaderPairs: 20, ...roomy });
    this.parser.on(
      'part',
      this.#guarded((part: Readable) => this.#part(part)),
    );
    // It fails if the end is missing; an earlier failure, if any, counts instead.
    this.parser.on(
      'error',
      this.#guarded(() => this.#fail(broken())),
    );
  }

  /** Reads until the parser has met the end of the form; what comes after that is ignored. */
  async read(payload: Readable): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.parser.once('finish', resolve).once('error', reject);
    payload.once('error', reject);
    payload.once(
      'close',
      guarded(reject, () => payload.readableEnded || reject(broken())),
    );
    payload.once(
      'end',
      guarded(reject, () => this.#expectEnd()),
    );
    payload.pipe(this.parser);
    try {
      await promise;
    } finally {
      payload.unpipe(this.parser).resume();
    }
  }

  /** Some malformed forms leave the parser waiting for ever: after the last byte it must come to an end. */
  async #expectEnd(): Promise<void> {
    let seen = -1;
    while (seen !== this.#files.length) {
      seen = this.#files.length;
      await Promise.allSettled(this.#files);
      for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    }
    throw broken();
  }

  async finished(): Promise<FormParts> {
    if (this.#failure !== undefined) throw this.#failure;
    const files = await Promise.all(this.#files);
    // A text can have turned out to be wrong meanwhile.
    if (this.#failure !== undefined) throw this.#failure;
    return { texts: this.#texts, files };
  }

  /** Removes what was stored so far; returns the error to answer with. */
  async giveUp(cause: unknown): Promise<Error> {
    const reason = this.#failure ?? (isBrokenOff(cause) ? broken() : toError(cause));
    for (const part of this.#open) part.destroy(reason);
    const settled = await Promise.allSettled(this.#files);
    const stored = settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value.file] : []));
    await discardStaged(this.#deps, this.#context, stored);
    return reason;
  }

  #part(part: Readable): void {
    // Without a listener, an error after the end of the reading would end the process.
    part.on('error', () => {});
    this.#parts += 1;
    if (this.#isInHead) this.#fail(broken());
    if (this.#parts > maxParts) this.#fail(invalidBody(`The form has more than ${maxParts} parts.`));
    this.#isInHead = true;
    part.once(
      'header',
      this.#guarded((lines: Record<string, string[]>) => this.#head(part, lines)),
    );
  }

  #head(part: Readable, lines: Record<string, string[]>): void {
    this.#isInHead = false;
    const head = this.#failure === undefined ? this.#headOf(lines) : undefined;
    if (!head) return void part.resume();
    if (head.fileName === undefined) this.#text(head.field, part);
    else this.#file(head.field, head.fileName, part);
  }

  #headOf(lines: Record<string, string[]>): PartHead | undefined {
    try {
      return readPartHead(lines);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #file(field: string, name: string, part: Readable): void {
    // What browsers send for a file input that nothing was chosen for.
    if (name === '')
      return void part.on(
        'data',
        this.#guarded(() => this.#fail(invalidFileName('is missing'))),
      );
    const { files } = formLimitsOf(this.#context);
    if (this.#files.length === files) {
      this.#fail(invalidBody(`The form has more than ${files} files.`));
      return void part.resume();
    }
    this.#open.add(part);
    const claim = { name, wantsDigest: this.#wantsDigest };
    const file = stageFile(this.#deps, this.#context, claim, part)
      .then((file): FilePart => ({ field, file }))
      .finally(() => this.#open.delete(part));
    file.catch((error: unknown) => this.#fail(error));
    this.#files.push(file);
  }

  #text(field: string, part: Readable): void {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer) => {
      // All texts together are what a JSON body would be.
      this.#textBytes += chunk.length;
      if (this.#textBytes > jsonBodyLimit) this.#fail(bodyTooLarge('1 MB'));
      else chunks.push(chunk);
    };
    const end = () => {
      if (this.#failure !== undefined) return;
      if (this.#texts.has(field)) return this.#fail(invalidBody(`The part "${field}" appears twice.`));
      try {
        this.#texts.set(field, utf8.decode(Buffer.concat(chunks)));
      } catch {
        this.#fail(invalidBody(`The part "${field}" is not UTF-8.`));
      }
    };
    part.on('data', this.#guarded(take));
    part.on('end', this.#guarded(end));
  }

  /** What a handler throws ends the reading, as any other failure does. */
  #guarded<Arguments extends unknown[]>(handle: (...given: Arguments) => unknown) {
    return guarded((error) => this.#fail(error), handle);
  }

  /** The first failure ends the reading. */
  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = toError(reason);
    this.parser.destroy(this.#failure);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const toError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));

function boundaryOf(headers: IncomingHttpHeaders): string {
  const boundary = parseType(headers['content-type'])?.params.get('boundary');
  if (!boundary || boundary.length > 70) {
    throw invalidBody('The Content-Type of a form must name its boundary: multipart/form-data; boundary=…');
  }
  return boundary;
}

function parseType(contentType = ''): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}
