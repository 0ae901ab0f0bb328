import type { Calls } from './calls.ts';

/** The one way out of the sandbox: a socket to the supervisor, which makes the calls. */
export class Host {
  readonly #client: Deno.HttpClient;
  readonly #calls: Calls;
  readonly #fetch = globalThis.fetch;
  readonly #Request = globalThis.Request;

  constructor(socket: string, calls: Calls) {
    this.#client = Deno.createHttpClient({
      proxy: { transport: 'unix', path: socket },
      poolMaxIdlePerHost: 8,
    });
    this.#calls = calls;
  }

  /** `fetch` as everybody knows it. The supervisor connects, follows redirects, and refuses what is not public. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new this.#Request(input, init);
    if (!/^https?:$/.test(new URL(request.url).protocol)) return this.#fetch(input, init);
    const headers = new Headers(request.headers);
    headers.set('x-plinth-target', request.url);
    headers.set('x-plinth-redirect', request.redirect);
    const answer = await this.#send('http://egress.invalid/', request, headers);
    const refusal = answer.headers.get('x-plinth-refused');
    if (refusal !== null) {
      await answer.body?.cancel();
      throw new TypeError(`fetch failed: ${refusal}`);
    }
    return asAnswered(answer, request.url);
  };

  /** To the service itself; the supervisor adds the credential of the call. */
  readonly fetchService = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new this.#Request(input, init);
    return this.#send(request.url, request, new Headers(request.headers));
  };

  #send(url: string, request: Request, headers: Headers): Promise<Response> {
    const call = this.#calls.current;
    if (call) headers.set('x-plinth-call', call.id);
    return this.#fetch(url, {
      method: request.method,
      headers,
      body: request.body,
      signal: request.signal,
      redirect: 'manual',
      client: this.#client,
      ...(request.body && { duplex: 'half' }),
    } as RequestInit);
  }
}

/** The answer as if it had been fetched from here. */
function asAnswered(answer: Response, asked: string): Response {
  const shown = new Response(answer.body, answer);
  const url = shown.headers.get('x-plinth-url') ?? asked;
  const redirected = shown.headers.get('x-plinth-redirected') === '1';
  for (const name of ['x-plinth-url', 'x-plinth-redirected']) shown.headers.delete(name);
  Object.defineProperty(shown, 'url', { value: url });
  Object.defineProperty(shown, 'redirected', { value: redirected });
  return shown;
}
