import {
  type ClientHttp2Session,
  connect,
  type Http2Session,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, type Server, type TLSSocket } from 'node:tls';
import { guarded, reporting } from '../../../../platform/guarded.ts';
import type { Log } from '../../../../platform/log.ts';
import { CodeFolders } from '../code-folders.ts';
import type { CodeRunner } from '../sandbox.ts';
import { AnswerCalls } from './answer-calls.ts';
import type { NodeDoor } from './node-door.ts';
import { keyOf, purposes, secured, sessionOptions } from './secure-link.ts';

export interface PoolServerDeps {
  readonly runner: CodeRunner;
  readonly door: NodeDoor;
  readonly secret: string;
  readonly log: Log;
}

/** A machine that runs the code of projects for nodes that have its secret. */
export class PoolServer {
  readonly #report: (error: unknown) => void;
  readonly #server: Server;
  readonly #folders = new CodeFolders();
  readonly #calls: AnswerCalls;
  readonly #names = new WeakMap<object, string>();
  /** By the names that nodes have given their connections. */
  readonly #asks = new Map<string, ClientHttp2Session>();
  readonly #sessions = new Set<Http2Session>();

  constructor(deps: PoolServerDeps) {
    this.#calls = new AnswerCalls(deps, this.#folders);
    this.#report = reporting(deps.log, 'a call of a node failed');
    const key = keyOf(deps.secret);
    this.#server = createTlsServer({
      ...secured,
      ALPNProtocols: Object.values(purposes),
      handshakeTimeout: 5000,
      pskCallback: (socket, identity) => {
        this.#names.set(socket, identity);
        return key;
      },
    });
    this.#server.on(
      'secureConnection',
      guarded(this.#report, (socket: TLSSocket) => this.#connected(socket)),
    );
    this.#server.on(
      'tlsClientError',
      guarded(this.#report, (error: Error) =>
        deps.log.warn({ err: error }, 'a connection without the secret was rejected'),
      ),
    );
  }

  /** Calls that are under way. */
  get calls(): number {
    return this.#calls.size;
  }

  /** Resolves with the address for nodes. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => resolve());
    });
    const { address, port: at, family } = this.#server.address() as AddressInfo;
    return `tls://${family === 'IPv6' ? `[${address}]` : address}:${at}`;
  }

  /** Takes nothing more, and waits for what is under way, but not for longer. */
  async stop(longestMs: number): Promise<void> {
    const giveUpAt = performance.now() + longestMs;
    this.#server.close();
    this.#calls.refuse();
    // Says to each node that it is to go elsewhere.
    for (const session of this.#sessions) session.close();
    while (this.#calls.size > 0 && performance.now() < giveUpAt) await sleep(20);
    for (const session of [...this.#sessions, ...this.#asks.values()]) session.destroy();
    await this.#folders.close();
  }

  #connected(socket: TLSSocket): void {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    const name = this.#names.get(socket) ?? '';
    if (socket.alpnProtocol === purposes.calls) this.#takeCalls(socket, name);
    else if (socket.alpnProtocol === purposes.asks) this.#keepAsks(socket, name);
    else socket.destroy();
  }

  #keepAsks(socket: TLSSocket, name: string): void {
    const session = connect('http://node.invalid', { ...sessionOptions, createConnection: () => socket });
    session.on('error', () => {});
    this.#asks.set(name, session);
    const forget = guarded(
      () => {},
      () => void this.#asks.delete(name),
    );
    session.once('close', forget);
  }

  #takeCalls(socket: TLSSocket, name: string): void {
    const session = performServerHandshake(socket, {
      ...sessionOptions,
      streamResetBurst: 100_000,
      streamResetRate: 10_000,
    });
    this.#sessions.add(session);
    session.on('error', () => {});
    session.on(
      'stream',
      guarded(this.#report, (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
        this.#take(stream, String(headers[':path']), name),
      ),
    );
    const forget = guarded(
      () => {},
      () => void this.#sessions.delete(session),
    );
    session.once('close', forget);
  }

  async #take(stream: ServerHttp2Stream, path: string, name: string): Promise<void> {
    stream.on('error', () => {});
    const node = this.#asks.get(name);
    if (!node) return void stream.destroy();
    stream.respond({ ':status': 200 });
    await this.#calls.answer(path, stream, node);
  }
}
