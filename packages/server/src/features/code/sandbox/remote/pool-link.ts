import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { guarded } from '../../../../platform/guarded.ts';
import type { Asking, ServiceDoor } from '../service-calls.ts';
import { keyOf, purposes, secured, sessionOptions } from './secure-link.ts';
import { unreachable } from './send-to-pool.ts';

const connectMs = 3000;
/** A pool that could not be reached is not tried first for so long. */
const avoidedMs = 5000;
const pingEveryMs = 5000;

/** What a call at the pool may ask this node for. */
export interface LiveAtPool extends Asking {
  readonly folder: string;
}

interface Connection {
  readonly calls: ClientHttp2Session;
  close(): void;
}

/** The connections of a node to one pool, made when they are needed. */
export class PoolLink {
  readonly url: string;
  readonly #key: Buffer;
  readonly #service: ServiceDoor;
  readonly #live = new Map<string, LiveAtPool>();
  readonly #open = new Set<Connection>();
  #current: Promise<Connection> | undefined;
  #avoidedUntil = 0;
  #isClosed = false;

  constructor(url: string, secret: string, service: ServiceDoor) {
    this.url = url;
    this.#key = keyOf(secret);
    this.#service = service;
  }

  /** It could be reached when it was last tried. */
  get isGood(): boolean {
    return performance.now() >= this.#avoidedUntil;
  }

  /** Does something at the pool, which may ask for the code and, with the token, for what the service knows. */
  async use<Result>(
    needs: LiveAtPool,
    work: (session: ClientHttp2Session, id: string) => Promise<Result>,
  ): Promise<{ result: Result; end: () => void }> {
    const { calls } = await this.#connection();
    const id = randomBytes(16).toString('base64url');
    const end = () => void this.#live.delete(id);
    this.#live.set(id, needs);
    try {
      return { result: await work(calls, id), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const one of this.#open) one.close();
  }

  #connection(): Promise<Connection> {
    if (this.#isClosed) throw unreachable();
    this.#current ??= this.#connect().catch(() => {
      this.#leave();
      throw unreachable();
    });
    return this.#current;
  }

  /** The next call connects anew; what is under way goes on. */
  #leave(): void {
    this.#current = undefined;
    this.#avoidedUntil = performance.now() + avoidedMs;
  }

  async #connect(): Promise<Connection> {
    // One name for both: so the pool knows whom to ask for the calls of this node.
    const name = randomBytes(12).toString('base64url');
    const sockets = new Set<TLSSocket>();
    const signal = AbortSignal.timeout(connectMs);
    try {
      const asks = await this.#dial(purposes.asks, name, { sockets, signal });
      await this.#answerAsks(asks, signal);
      const socket = await this.#dial(purposes.calls, name, { sockets, signal });
      const calls = connectHttp2('http://pool.invalid', {
        ...sessionOptions,
        createConnection: () => socket,
      });
      calls.on('error', () => {});
      await once(calls, 'remoteSettings', { signal });
      // One that has ended meanwhile will not say so again.
      if (this.#isClosed || [...sockets].some(({ destroyed }) => destroyed)) throw unreachable();
      return this.#keep(calls, sockets);
    } catch (error) {
      closeAll(sockets);
      throw error;
    }
  }

  #keep(calls: ClientHttp2Session, sockets: Set<TLSSocket>): Connection {
    const pings = setInterval(
      guarded(
        () => closeAll(sockets),
        () => ping(calls, () => closeAll(sockets)),
      ),
      pingEveryMs,
    ).unref();
    const made: Connection = { calls, close: () => closeAll(sockets) };
    let isLeft = false;
    const leave = () => {
      if (!isLeft) this.#leave();
      isLeft = true;
    };
    this.#open.add(made);
    // The pool is about to stop.
    calls.once(
      'goaway',
      guarded(() => {}, leave),
    );
    const end = guarded(
      () => {},
      () => {
        leave();
        clearInterval(pings);
        this.#open.delete(made);
        closeAll(sockets);
      },
    );
    for (const socket of sockets) socket.once('close', end);
    return made;
  }

  async #dial(
    purpose: string,
    name: string,
    { sockets, signal }: { sockets: Set<TLSSocket>; signal: AbortSignal },
  ): Promise<TLSSocket> {
    const { hostname, port } = new URL(this.url);
    const socket = connectTls({
      ...secured,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
      ALPNProtocols: [purpose],
      pskCallback: () => ({ psk: this.#key, identity: name }),
      // Whoever has the secret is the pool: there are no certificates.
      checkServerIdentity: () => undefined,
    });
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    await once(socket, 'secureConnect', { signal });
    return socket;
  }

  /** Lets the pool ask, over a connection that this node has made; resolves when it is about to. */
  async #answerAsks(socket: TLSSocket, signal: AbortSignal): Promise<void> {
    const server = createServer(
      sessionOptions,
      guarded(
        () => socket.destroy(),
        (request: Http2ServerRequest, response: Http2ServerResponse) => this.#answer(request, response),
      ),
    );
    const session = once(server, 'session', { signal }) as Promise<[ServerHttp2Session]>;
    server.emit('connection', socket);
    await once((await session)[0], 'remoteSettings', { signal });
  }

  async #answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const live = this.#live.get(String(request.headers['x-plinth-run']));
    if (!live) return void response.writeHead(403).end();
    if (request.authority === 'code.invalid')
      return void response.end(JSON.stringify(await readFiles(live.folder)));
    // It has all that is used of the older protocol.
    const exchange = [request, response] as unknown as [IncomingMessage, ServerResponse];
    await this.#service.serve(live, ...exchange);
  }
}

async function readFiles(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

/** A machine that is cut off is noticed, though no connection is closed. */
function ping(session: ClientHttp2Session, onSilence: () => void): void {
  if (session.destroyed) return onSilence();
  const giveUp = guarded(() => {}, onSilence);
  const late = setTimeout(giveUp, pingEveryMs).unref();
  session.ping((error) => {
    clearTimeout(late);
    if (error) onSilence();
  });
}

function closeAll(sockets: Iterable<TLSSocket>): void {
  for (const socket of sockets) socket.destroy();
}
