import { once } from 'node:events';
import { WebSocket } from 'ws';
import { anAddress } from './caller.ts';

/** A realtime connection of somebody who does not care for what comes. */
export class LiveSocket {
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Open, as soon as the server knows whose it is; or closed, if it was refused. */
  static async open(base: string, headers: Record<string, string> = {}): Promise<LiveSocket> {
    const address = `${base.replace(/^http/, 'ws')}/realtime`;
    const socket = new WebSocket(address, {
      headers: { 'x-forwarded-for': anAddress(), ...headers },
      perMessageDeflate: false,
    });
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await Promise.race([once(socket, 'message').catch(() => {}), closed]);
    return new LiveSocket(socket);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Sends a message, or a text as it is; resolves when it has left. */
  send(message: Record<string, unknown> | string): Promise<void> {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    return new Promise((resolve) => {
      if (this.isOpen) this.#socket.send(text, () => resolve());
      else resolve();
    });
  }

  /** Waits for a message with this text in it, for a while. */
  async hears(text: string, withinMs = 5000): Promise<void> {
    const signal = AbortSignal.timeout(withinMs);
    try {
      while (this.isOpen) {
        const [data] = await once(this.#socket, 'message', { signal });
        if (String(data).includes(text)) return;
      }
    } catch {
      // What does not come does not matter.
    }
  }

  /** Reads no more of what comes, and lets it pile up at the other end. */
  ignore(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** Several at once, ten at a time. */
export async function openSockets(
  count: number,
  open: (n: number) => Promise<LiveSocket>,
): Promise<LiveSocket[]> {
  const sockets: LiveSocket[] = [];
  while (sockets.length < count) {
    const more = Math.min(10, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: more }, (_, n) => open(sockets.length + n)))));
  }
  return sockets;
}
