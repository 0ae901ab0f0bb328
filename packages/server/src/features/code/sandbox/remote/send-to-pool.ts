import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { PassThrough, Readable } from 'node:stream';
import { guarded } from '../../../../platform/guarded.ts';
import { type Invocation, type LogLine, type SandboxAnswer, SandboxError } from '../invocation.ts';
import { type AnswerHead, type CallHead, type CodeHead, readFailure } from './call-head.ts';
import { drained, type Frame, readFrames, writeBody, writeFrame } from './frames.ts';

/** A pool says itself that a call is late; one that does not is given up so long after. */
const graceMs = 5000;

/** Gives a call to a pool. Resolves when the pool has an answer, or rejects with a `SandboxError`. */
export async function sendToPool(
  session: ClientHttp2Session,
  id: string,
  call: Invocation,
): Promise<SandboxAnswer> {
  return new SentCall(open(session, '/invoke'), call).send(id);
}

/** Has a pool do something with code; resolves with what it says. */
export async function askPool(
  session: ClientHttp2Session,
  path: '/describe' | '/warm',
  head: CodeHead,
  longestMs: number,
): Promise<string> {
  const stream = open(session, path);
  const late = giveUpAfter(stream, longestMs + graceMs);
  try {
    writeFrame(stream, 'head', JSON.stringify(head));
    for await (const { kind, content } of readFrames(stream)) {
      if (kind === 'failed') throw readFailure(content.toString());
      if (kind === 'head') return content.toString();
    }
    throw brokenOff();
  } catch (error) {
    throw explained(stream, error);
  } finally {
    clearTimeout(late);
    stream.close(constants.NGHTTP2_NO_ERROR);
  }
}

/** A call that a pool works on. */
class SentCall {
  readonly #stream: ClientHttp2Stream;
  readonly #call: Invocation;
  readonly #answered = Promise.withResolvers<SandboxAnswer>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #body = new PassThrough();
  #isDone = false;

  constructor(stream: ClientHttp2Stream, call: Invocation) {
    this.#stream = stream;
    this.#call = call;
    this.#body.on('error', () => {});
    this.#ended.promise.catch(() => {});
    this.#body.once(
      'close',
      guarded(
        () => {},
        () => this.#body.readableEnded || writeFrame(stream, 'leave'),
      ),
    );
  }

  send(id: string): Promise<SandboxAnswer> {
    const { code, token: _, onLog: __, body, ...rest } = this.#call;
    const { project, version } = code;
    const head: CallHead = { ...rest, id, code: { project, version }, hasBody: body !== null };
    writeFrame(this.#stream, 'head', JSON.stringify(head));
    void this.#follow();
    return this.#answered.promise;
  }

  async #follow(): Promise<void> {
    const late = giveUpAfter(this.#stream, this.#call.deadlineMs + graceMs);
    try {
      for await (const frame of readFrames(this.#stream)) await this.#take(frame);
      if (!this.#isDone) throw brokenOff();
    } catch (error) {
      const why = explained(this.#stream, error);
      this.#answered.reject(why);
      this.#body.destroy(why);
      this.#ended.reject(why);
    } finally {
      clearTimeout(late);
      this.#stream.destroy();
      this.#ended.resolve();
    }
  }

  async #take({ kind, content }: Frame): Promise<void> {
    switch (kind) {
      case 'wanted':
        return void this.#sendBody();
      case 'log':
        return this.#call.onLog(JSON.parse(content.toString()) as LogLine);
      case 'head':
        return this.#answered.resolve({
          ...(JSON.parse(content.toString()) as AnswerHead),
          body: this.#body,
          ended: this.#ended.promise,
        });
      case 'body':
        if (!this.#body.destroyed && !this.#body.write(content)) await drained(this.#body);
        return;
      case 'end':
        return void this.#body.end();
      case 'cut':
        return void this.#body.destroy(new SandboxError('timed_out', content.toString()));
      case 'failed':
        throw readFailure(content.toString());
      case 'done':
        this.#isDone = true;
        this.#stream.end();
        return;
      case 'leave':
      // A pool never says so.
    }
  }

  async #sendBody(): Promise<void> {
    const { body } = this.#call;
    try {
      const given = typeof body === 'string' || Buffer.isBuffer(body) ? Readable.from([body]) : body;
      await writeBody(this.#stream, given ?? Readable.from([]));
    } catch (error) {
      // Whoever sends the body has gone, or it is too long: the call has no sense any more.
      this.#answered.reject(new SandboxError('crashed', String(error)));
      this.#stream.close(constants.NGHTTP2_CANCEL);
    }
  }
}

function open(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  try {
    const stream = session.request({ ':method': 'POST', ':path': path });
    stream.on('error', () => {});
    return stream;
  } catch {
    throw unreachable();
  }
}

function giveUpAfter(stream: ClientHttp2Stream, ms: number): NodeJS.Timeout {
  const giveUp = guarded(
    () => {},
    () => stream.destroy(new SandboxError('timed_out', 'The machine that runs functions does not respond.')),
  );
  return setTimeout(giveUp, ms).unref();
}

/** Only what surely has not begun is done elsewhere; all else may have run. */
function explained({ rstCode }: ClientHttp2Stream, error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  return rstCode === constants.NGHTTP2_REFUSED_STREAM ? unreachable() : brokenOff();
}

export function unreachable(): SandboxError {
  return new SandboxError('unreachable', 'No machine that runs functions can be reached.');
}

function brokenOff(): SandboxError {
  return new SandboxError('crashed', 'The connection to the machine that ran the function was lost.');
}
