import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

/** Gives what is sent as JSON, now or later. */
type Answers = (asked: Asked) => unknown;

export interface SmallServer extends AsyncDisposable {
  readonly url: string;
  /** Every call it got, as "METHOD /path". */
  readonly seen: string[];
  /** Changes what it answers from now on. */
  answer(how: Answers): void;
}

/** An answer other than 200 with JSON. */
export class OtherAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Record<string, string>;

  constructor(status: number, body = '', headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A server on the loopback interface that answers with JSON. */
export async function startSmallServer(how: Answers, host = '127.0.0.1'): Promise<SmallServer> {
  const seen: string[] = [];
  let answers = how;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url!, 'http://here');
    seen.push(`${request.method} ${pathname}`);
    const form = new URLSearchParams(await text(request));
    const answer = await answers({ method: request.method!, path: pathname, headers: request.headers, form });
    if (answer instanceof OtherAnswer) response.writeHead(answer.status, answer.headers).end(answer.body);
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  }).listen(0, host);
  await once(server, 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (next) => {
      answers = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
