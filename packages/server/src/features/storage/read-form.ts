import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { bodyTooLarge, invalidBody } from '../../platform/http/errors.ts';
import { documentBodyLimit } from '../../platform/http/server.ts';
import type { IncomingForm, RequestContext } from '../projects/index.ts';
import { invalidFileName } from './errors.ts';
import type { StorageServices } from './services.ts';
import { discardStaged, type StagedFile, stageFile } from './stage-file.ts';

/** A file part: which field it fills. */
export interface FilePart {
  readonly field: string;
  readonly file: StagedFile;
}

/** All that a multipart body held, in its order. */
export interface FormParts {
  readonly texts: ReadonlyMap<string, string>;
  readonly files: readonly FilePart[];
}

const limits = {
  files: 100,
  fields: 20,
  parts: 120,
  fieldSize: documentBodyLimit,
  headerPairs: 20,
  headerSize: 16_384,
};

/** Reads a multipart body to its end, storing its files on the way. If anything is wrong with it, nothing stays. */
export async function readForm(
  services: Pick<StorageServices, 'blobs'>,
  context: RequestContext,
  { payload, headers }: Pick<IncomingForm, 'payload' | 'headers'>,
): Promise<FormParts> {
  const reading = new FormReading(services, context, headers);
  try {
    await pipeline(payload, reading.parser, { end: true });
    return await reading.finished();
  } catch (error) {
    throw await reading.giveUp(error);
  }
}

class FormReading {
  readonly parser: BusboyInstance;
  readonly #texts = new Map<string, string>();
  readonly #staging: Promise<FilePart>[] = [];
  readonly #open = new Set<Readable>();
  readonly #services: Pick<StorageServices, 'blobs'>;
  readonly #context: RequestContext;
  readonly #wantsDigest: boolean;
  #failure: unknown;

  constructor(
    services: Pick<StorageServices, 'blobs'>,
    context: RequestContext,
    headers: IncomingHttpHeaders,
  ) {
    this.#services = services;
    this.#context = context;
    this.#wantsDigest = headers['idempotency-key'] !== undefined;
    this.parser = openParser(headers);
    this.parser.on('file', (field, body, name) => this.#file(field, body, name));
    this.parser.on('field', (field, text, _nameCut, isCut) => this.#text(field, text, isCut));
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      this.parser.on(event, () =>
        this.#fail(invalidBody(`The form has more than ${limits.files} files, or too many parts.`)),
      );
    }
  }

  async finished(): Promise<FormParts> {
    if (this.#failure !== undefined) throw this.#failure;
    return { texts: this.#texts, files: await Promise.all(this.#staging) };
  }

  /** Removes what was stored so far; what to answer. */
  async giveUp(cause: unknown): Promise<unknown> {
    const reason = this.#failure ?? wordParserError(cause);
    for (const body of this.#open) body.destroy(reason as Error);
    const settled = await Promise.allSettled(this.#staging);
    const stored = settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value.file] : []));
    await discardStaged(this.#services, this.#context, stored);
    return reason;
  }

  #file(field: string | undefined, body: Readable, name: string | undefined): void {
    // Without a listener, an error after the reading has ended would end the process.
    body.on('error', () => {});
    if (this.#failure !== undefined) return void body.resume();
    // What browsers send for a file input that nothing was chosen for.
    if (!name) return void body.on('data', () => this.#fail(invalidFileName('is missing')));
    this.#open.add(body);
    const staging = this.#stage(field, body, name);
    staging.catch((error: unknown) => this.#fail(error));
    this.#staging.push(staging);
  }

  async #stage(field: string | undefined, body: Readable, name: string): Promise<FilePart> {
    try {
      if (!field) throw invalidBody('A part of the form has no name.');
      const claim = { name: asWritten(name), wantsDigest: this.#wantsDigest };
      const file = await stageFile(this.#services, this.#context, claim, body);
      return { field, file };
    } finally {
      this.#open.delete(body);
    }
  }

  #text(field: string | undefined, text: string, isCut: boolean): void {
    if (isCut) return this.#fail(bodyTooLarge('1 MB'));
    if (!field) return this.#fail(invalidBody('A part of the form has no name.'));
    if (this.#texts.has(field))
      return this.#fail(invalidBody(`The part "${field.slice(0, 100)}" is there twice.`));
    this.#texts.set(field, text);
  }

  /** The first thing that is wrong ends the reading. */
  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.parser.destroy(error as Error);
  }
}

/** Browsers write the quotation marks of a file name as %22. */
const asWritten = (name: string) => name.replaceAll('%22', '"');

function openParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    // Names keep their slashes here: a name that holds a path is refused, not shortened.
    return new Busboy({ headers: headers as BusboyHeaders, limits, preservePath: true });
  } catch {
    throw invalidBody('The Content-Type of a form must name its boundary: multipart/form-data; boundary=…');
  }
}

/** What the parser or the connection says when a form breaks off or is none. */
function wordParserError(error: unknown): unknown {
  const { message, code } = error as Error & { code?: string };
  const isBroken = code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'ABORT_ERR';
  if (isBroken || /multipart|Part terminated|boundary|header/i.test(message)) {
    return invalidBody('The form breaks off, or is not multipart/form-data as its Content-Type says.');
  }
  return error;
}
