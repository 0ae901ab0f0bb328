import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import type { Undici } from './undici.ts';
import { whenClosed } from './when-closed.ts';

/** What the code may not say itself: who it is, and what belongs to the connection. */
const notHandedOn = new Set(
  `authorization x-api-key cookie origin host connection keep-alive upgrade transfer-encoding te trailer expect proxy-connection x-forwarded-for`.split(
    ' ',
  ),
);
/** Whom the code acts for. */
const onBehalfOf = 'x-plinth-as';

/** Who asks: a call of a project's code. */
export interface Asking {
  readonly project: string;
  readonly token: string;
}

/** Answers what code asks of the service. */
export interface ServiceDoor {
  serve(asking: Asking, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Calls of functions to the service that a node has under way. */
const mostAtOnce = 128;
/** Concurrent requests to the service from the functions of a project, on one node; others wait. @limit - */
const mostOfProject = 32;
const mostWaiting = 1000;
const longestWaitMs = 30_000;
/** They wait for other functions, which may ask in turn: whoever held places for them would wait for itself. */
const callsFunctions = /^\/(p\/[^/]+\/)?functions\//;

/** Makes the calls of functions to the service itself, each with the credential of the call that asks. */
export class ServiceCalls implements ServiceDoor {
  readonly #address: () => string;
  readonly #undici: () => Promise<Undici>;
  readonly #places = new FairSemaphore(mostAtOnce, mostOfProject, mostWaiting);

  constructor(address: () => string, undici: () => Promise<Undici> = () => import('undici')) {
    this.#address = address;
    this.#undici = undici;
  }

  async serve(asking: Asking, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url);
    if (callsFunctions.test(path)) return this.#send(asking, path, { request, response });
    const leave = await this.#places.enter(asking.project, longestWaitMs);
    if (!leave) return serviceAway(response);
    try {
      if (!response.destroyed) await this.#send(asking, path, { request, response });
    } finally {
      leave();
    }
  }

  async #send(
    { token }: Asking,
    path: string,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ): Promise<void> {
    const signal = whenClosed(response);
    try {
      const { request: send } = await this.#undici();
      const answer = await send(new URL(path, this.#address()), {
        method: request.method ?? 'GET',
        headers: { ...handedOn(request), authorization: `Bearer ${token}` },
        body: request.method === 'GET' || request.method === 'HEAD' ? null : request,
        signal,
      });
      response.writeHead(answer.statusCode, ofAnswer(answer.headers));
      await new Promise<void>((resolve) => {
        pipeline(answer.body, response, () => resolve());
      });
    } catch {
      serviceAway(response);
    }
  }
}

export function serviceAway(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(503, { 'content-type': 'application/json' });
  const message = 'The service did not respond to the function. Try again.';
  response.end(JSON.stringify({ error: { code: 'engine_unavailable', message } }));
}

/** Without what belongs to the connection. */
function ofAnswer(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const kept = Object.entries(headers).filter(([name]) => !notHandedOn.has(name));
  return Object.fromEntries(kept);
}

/** The path alone: nothing leads to another host. */
export function pathOf(url = '/'): string {
  const { pathname, search } = new URL(url, 'http://service.invalid');
  return `${pathname.replace(/^\/+/, '/')}${search}`;
}

/** What the code may say: nothing of ours, of the connection, or of who it is. */
export function handedOn({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    // The names that begin with a colon belong to HTTP/2.
    const isOwn = name.startsWith(':') || (name.startsWith('x-plinth-') && name !== onBehalfOf);
    if (value !== undefined && !isOwn && !notHandedOn.has(name)) kept[name] = value;
  }
  return kept;
}
