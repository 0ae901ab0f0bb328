import { randomBytes } from 'node:crypto';
import { type Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  /** Its beginning: what is said in large answers is of no interest. */
  readonly text: string;
  /** The parsed `data` of a short answer. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

interface CallOptions {
  readonly headers?: Record<string, string>;
  /** Sent as it is, instead of JSON made of the body. */
  readonly raw?: string | Buffer;
}

const keptText = 262_144;
const longestMs = 30_000;

/** One of many computers: calls of one attacker come from as many networks as a rented botnet has. */
export const anAddress = (): string => `2001:db8:${randomHex()}:${randomHex()}::1`;

const randomHex = (): string => randomBytes(2).toString('hex');

/** Somebody who calls the service, and counts how it answers. */
export class Caller {
  readonly base: string;
  readonly headers: Record<string, string>;
  readonly #answered: Map<string, number>;
  readonly #agent: Agent;

  constructor(base: string, headers: Record<string, string>, answered: Map<string, number>, agent: Agent) {
    this.base = base;
    this.headers = headers;
    this.#answered = answered;
    this.#agent = agent;
  }

  /** The same with other headers. */
  with(headers: Record<string, string>): Caller {
    return new Caller(this.base, { ...this.headers, ...headers }, this.#answered, this.#agent);
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, undefined, options);
  post = (path: string, body?: unknown, options?: CallOptions) => this.call('POST', path, body, options);
  patch = (path: string, body?: unknown, options?: CallOptions) => this.call('PATCH', path, body, options);
  put = (path: string, body?: unknown, options?: CallOptions) => this.call('PUT', path, body, options);
  delete = (path: string) => this.call('DELETE', path);

  /** A call that must succeed, when something is prepared. */
  async must(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    const answer = await this.call(method, path, body, options);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  }

  /** A form with files and texts. */
  form(method: string, path: string, parts: Record<string, string | Blob>): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) {
      if (typeof value === 'string') form.set(name, value);
      else form.set(name, value, value.type === 'image/png' ? 'picture.png' : 'text.txt');
    }
    return this.#sendForm(method, path, form);
  }

  /** Answers nothing: an attacker does not mind being cut off. Status 0 is for that. */
  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const content = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await this.#send(method, path, content, {
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    });
    this.#note(answer);
    return answer;
  }

  async #sendForm(method: string, path: string, form: FormData): Promise<Answer> {
    const { headers, body } = new Request('http://localhost', { method: 'POST', body: form });
    const content = Buffer.from(await new Response(body).arrayBuffer());
    const answer = await this.#send(method, path, content, { 'content-type': headers.get('content-type')! });
    this.#note(answer);
    return answer;
  }

  #note({ status, text }: Answer): void {
    const code = /"code":"([a-z_]+)"/.exec(status >= 400 ? text : '')?.[1];
    const name = status === 0 ? 'cut off' : [status, code].filter(Boolean).join(' ');
    this.#answered.set(name, (this.#answered.get(name) ?? 0) + 1);
  }

  #send(
    method: string,
    path: string,
    content: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const cutOff = () => resolve({ status: 0, text: '', data: undefined });
      const sent = request(
        path.startsWith('http') ? path : `${this.base}${path}`,
        {
          agent: this.#agent,
          method,
          timeout: longestMs,
          headers: {
            'x-forwarded-for': anAddress(),
            ...this.headers,
            ...headers,
            ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (piece: string) => {
            if (text.length < keptText) text += piece;
          });
          answer.once('close', () => resolve({ status: answer.statusCode ?? 0, text, data: dataOf(text) }));
        },
      );
      sent.once('timeout', () => sent.destroy());
      sent.once('error', cutOff);
      sent.end(content);
    });
  }
}

function dataOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { data?: unknown }).data;
  } catch {
    return undefined;
  }
}
