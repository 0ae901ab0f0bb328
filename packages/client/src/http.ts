import type { ErrorCode } from '@plinth/protocol';
import { type ClientErrorCode, PlinthError } from './errors.ts';
import { hasFiles, toForm } from './form.ts';
import { randomId } from './random-id.ts';
import { backoffMs, deadline, pause, throwIfAborted } from './waiting.ts';

/** Options of every method. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** The timeout of one attempt. */
  readonly timeoutMs?: number;
  /** For writes: requests with the same key are processed once. The client generates keys itself; `false` sends none. */
  readonly idempotencyKey?: string | false;
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON, or as a form if it contains files; text, forms and files are sent unchanged. */
  readonly body?: unknown;
  /** Called with the number of bytes that were sent; never called if only `fetch` is available. */
  readonly onProgress?: ((sent: number) => void) | undefined;
  /** The request is idempotent: it can be retried without a key. */
  readonly isRepeatable?: boolean;
  /** The response is in its headers (tus). */
  readonly hasNoJson?: boolean;
  /** Without the token of the signed-in user. */
  readonly isAnonymous?: boolean;
  /** Reads what others than the service have answered: its data, or how it has failed; undefined if it was the service. */
  readonly readReply?: (reply: Reply) => { readonly data: unknown } | PlinthError | undefined;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly total?: number;
  readonly totalIsFloor?: boolean;
  readonly hasMore?: boolean;
  readonly nextCursor?: string | null;
  readonly versions?: readonly string[];
  readonly warnings?: readonly string[];
  readonly headers: Headers;
}

export interface HttpOptions {
  readonly url: string;
  readonly fetch?: typeof fetch | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly onWarning: (warning: string) => void;
  /** The token for requests, refreshed if necessary. */
  readonly token: () => Promise<string | undefined>;
  /** The server has rejected the token. True: there is another one to retry with. */
  readonly onRefused: (token: string, isExpired: boolean) => Promise<boolean>;
}

/** An answer as it came. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** Waits longer than this are the caller's to decide about. */
const longestWaitMs = 20_000;

/** Makes calls: credentials, time limits, retries, and one form of failure. */
export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  async call<Data>(call: Call): Promise<Answer<Data>> {
    const { method, signal, idempotencyKey, isRepeatable = method === 'GET' || method === 'PUT' } = call;
    const key = idempotencyKey ?? (isRepeatable ? undefined : randomId());
    const mayRepeat = isRepeatable || Boolean(key);
    for (let tried = 0; ; tried += 1) {
      try {
        const reply = await this.reach(
          key ? { ...call, headers: { 'Idempotency-Key': key, ...call.headers } } : call,
        );
        const { headers } = reply.response;
        const read = call.readReply?.(reply) ?? JSON.parse(reply.text);
        const answer: Answer<Data> = { ...(read as Answer<Data>), headers };
        for (const warning of answer.warnings ?? []) this.#options.onWarning(warning);
        return answer;
      } catch (error) {
        throwIfAborted(signal);
        if (!(error instanceof PlinthError) || tried >= this.#options.retries || !isPassing(error, mayRepeat))
          throw error;
        await pause(error.retryAfterMs ?? backoffMs(tried), signal);
      }
    }
  }

  /** The headers of a call, with the credential. */
  async headers(call: Pick<Call, 'headers' | 'isAnonymous'> = {}): Promise<Record<string, string>> {
    const token = call.isAnonymous ? undefined : await this.#options.token();
    return { ...this.#options.headers, ...(token && { Authorization: `Bearer ${token}` }), ...call.headers };
  }

  /** Makes a call once, or twice where the token was over, and fails unless it succeeded. */
  async reach(call: Call, isRenewed = false): Promise<Reply> {
    throwIfAborted(call.signal);
    const headers = await this.headers(call);
    const reply = await this.#send(call, headers);
    const problem = problemOf(call, reply);
    if (!problem) return reply;
    const token = headers.Authorization?.slice('Bearer '.length);
    // What a function answers says nothing about the token.
    const isRefused = problem.status === 401 && problem.code !== 'function_error';
    if (isRefused && token && !call.isAnonymous && !isRenewed) {
      const isExpired = problem.code === 'token_expired';
      if (await this.#options.onRefused(token, isExpired)) return this.reach(call, true);
    }
    throw problem;
  }

  async #send(call: Call, headers: Record<string, string>): Promise<Reply> {
    const { url, credentials, timeoutMs, fetch = globalThis.fetch } = this.#options;
    const { type, body } = bodyOf(call.body);
    if (type !== undefined) headers['Content-Type'] ??= type;
    const time = deadline(call.timeoutMs ?? timeoutMs, call.signal);
    try {
      const send =
        call.onProgress && typeof XMLHttpRequest === 'function' && !this.#options.fetch
          ? (await import('./files/fetch-with-progress.ts')).fetchWithProgress((sent) => {
              time.extend();
              call.onProgress?.(sent);
            })
          : fetch;
      const response = await send(`${url}${call.path}${call.query ? `?${call.query}` : ''}`, {
        method: call.method,
        headers,
        signal: time.signal,
        ...(credentials && { credentials }),
        ...(body !== undefined && { body }),
      });
      return { response, text: await response.text() };
    } catch (cause) {
      throwIfAborted(call.signal);
      throw unanswered(url, { isLate: time.limit.isOver, cause });
    } finally {
      time.done();
    }
  }
}

function bodyOf(body: unknown): { type?: string; body?: string | FormData | Blob } {
  if (body === undefined) return {};
  if (body instanceof FormData || body instanceof Blob) return { body };
  if (typeof body === 'string') return { type: 'application/x-www-form-urlencoded', body };
  // The type of a form, with its boundary, is known to `fetch` alone.
  if (hasFiles(body)) return { body: toForm(body) };
  return { type: 'application/json', body: JSON.stringify(body) };
}

function unanswered(url: string, { isLate, cause }: { isLate: boolean; cause: unknown }): PlinthError {
  const code: ClientErrorCode = isLate ? 'timed_out' : 'network_failed';
  const message = isLate
    ? 'The server did not respond in time.'
    : `${url} could not be reached. Is the server running, and is the origin of this page allowed in the project?`;
  return new PlinthError({ code, status: 0, message, cause });
}

/** The failure that an answer is, if it is one. */
function problemOf(call: Call, reply: Reply): PlinthError | undefined {
  const { status, headers, ok } = reply.response;
  if (call.hasNoJson && ok) return undefined;
  const read = call.readReply?.(reply);
  if (read) return read instanceof PlinthError ? read : undefined;
  const { success, error } = parsed(reply.text);
  // Who else should have answered would have been read above.
  if (ok && success && !call.readReply) return undefined;
  const waitS = Number(headers.get('Retry-After') ?? 0);
  return new PlinthError({
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: waitS > 0 ? waitS * 1000 : undefined,
    ...(error?.code
      ? error
      : {
          code: 'invalid_answer',
          message: `This is not a response from Plinth (status ${status}). Is the URL correct?`,
        }),
  });
}

interface Envelope {
  readonly success?: boolean;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown };
}

/** What is not JSON is not from the service either. */
function parsed(text: string): Envelope {
  try {
    return (JSON.parse(text) as Envelope | null) ?? {};
  } catch {
    return {};
  }
}

/** Is it worth another try? */
function isPassing({ code, status, retryAfterMs = 0 }: PlinthError, mayRepeat: boolean): boolean {
  if (retryAfterMs > longestWaitMs) return false;
  // Refused before anything was done: safe, whatever the call.
  if (code === 'rate_limited' || code === 'too_many_queries' || code === 'function_busy') return true;
  // It was executed: whether to do that again is for the caller to decide.
  if (code === 'function_error') return false;
  return mayRepeat && (status === 0 || status > 501 || code === 'upload_busy' || code === 'images_busy');
}
