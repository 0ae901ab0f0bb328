import { parseJsonText } from '../../src/platform/json.ts';

/** What came back from a call. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; tests look into it freely. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  /** Sent as it is, instead of JSON made of the body. */
  readonly raw?: string | Buffer;
}

/** Calls the service as a program of its own would: over HTTP. */
export class Client {
  readonly baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl;
    this.#headers = headers;
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, undefined, options);
  post = (path: string, body?: unknown, options?: CallOptions) => this.call('POST', path, body, options);
  patch = (path: string, body?: unknown, options?: CallOptions) => this.call('PATCH', path, body, options);
  put = (path: string, body?: unknown, options?: CallOptions) => this.call('PUT', path, body, options);
  delete = (path: string, options?: CallOptions) => this.call('DELETE', path, undefined, options);

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> {
    const content = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...this.#headers,
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(content !== undefined && { body: content as string }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
