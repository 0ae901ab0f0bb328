import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Tests look into it freely. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly event: any;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Changes how it answers from now on. */
  answer(how: Answers): void;
}

type Answers = (response: ServerResponse, received: Received, request: IncomingMessage) => unknown;

/** An endpoint on the loopback interface that says 200 until it is told otherwise. */
export async function startReceiver(how: Answers = (response) => response.end('ok')): Promise<Receiver> {
  const received: Received[] = [];
  let answers = how;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => '');
    const one = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body || '{}') };
    received.push(one);
    answers(response, one, request);
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
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
