import { once } from 'node:events';
import { connect, createServer, type Server, Socket } from 'node:net';

/** Stands between a node and an engine, and can fail as a network does: cut, silent, or with no host behind it. */
export class BreakableLink implements AsyncDisposable {
  readonly #target: URL;
  readonly #pairs = new Set<{ near: Socket; far: Socket; opening: string }>();
  #server: Server | undefined;
  #port = 0;
  #hasVanished = false;
  /** How long the engine's first words take on new connections. */
  delayMs = 0;

  constructor(targetUrl: string) {
    this.#target = new URL(targetUrl);
  }

  /** The engine's address, by way of the link. */
  async open(): Promise<string> {
    this.#server = createServer((near) => this.#join(near)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as { port: number }).port;
    const url = new URL(this.#target);
    url.port = String(this.#port);
    url.hostname = '127.0.0.1';
    return url.href;
  }

  /** Ends every connection and refuses new ones, until opened again. */
  async cut(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    this.#server = undefined;
    for (const { near, far } of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    await closed;
  }

  /** Nothing comes back any more on connections whose first bytes hold the text; nobody is told. */
  silence(opening = ''): number {
    const silenced = [...this.#pairs].filter((pair) => pair.opening.includes(opening));
    for (const { near, far } of silenced) far.unpipe(near);
    for (const { far } of silenced) far.pause();
    return silenced.length;
  }

  /**
   * The host of the engine is gone, and nobody is told: what is sent to it is lost, and so are new connections. Of some
   * connections only, where the text says which: then it is still there for others.
   */
  vanish(opening = ''): number {
    const lost = [...this.#pairs].filter((pair) => pair.opening.includes(opening));
    for (const { near, far } of lost) {
      near.unpipe(far);
      near.resume();
      far.removeAllListeners('close').destroy();
    }
    this.#hasVanished = opening === '';
    return lost.length;
  }

  /** Another host has its address: new connections are served, and old ones stay as they are. */
  comeBack(): void {
    this.#hasVanished = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cut();
  }

  #join(near: Socket): void {
    const far = this.#hasVanished ? new Socket() : connect(Number(this.#target.port), this.#target.hostname);
    const pair = { near, far, opening: '' };
    this.#pairs.add(pair);
    near.once('data', (chunk: Buffer) => {
      pair.opening = chunk.toString('latin1');
    });
    if (this.#hasVanished) near.resume();
    else {
      near.pipe(far);
      setTimeout(() => far.pipe(near), this.delayMs);
    }
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
