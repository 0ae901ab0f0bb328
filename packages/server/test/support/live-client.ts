import type { ClientMessage, ServerMessage } from '@plinth/protocol';
import { type ClientOptions, WebSocket } from 'ws';

type Of<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

/** A realtime connection as an app would have one. */
export class LiveClient implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly messages: ServerMessage[] = [];
  /** Resolves with the code and reason when it is closed. */
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, headers: Record<string, string> = {}, options: ClientOptions = {}) {
    this.socket = new WebSocket(url.replace(/^http/, 'ws'), { ...options, headers });
    this.socket.on('message', (data) => {
      this.messages.push(JSON.parse((data as Buffer).toString()) as ServerMessage);
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
  }

  /** Connected, and known to the server. */
  static async open(
    url: string,
    headers: Record<string, string> = {},
    options: ClientOptions = {},
  ): Promise<LiveClient> {
    const client = new LiveClient(`${url}/realtime`, headers, options);
    await client.next('ready');
    return client;
  }

  send(message: ClientMessage | Record<string, unknown>): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The first message of a type that fits, among those that have come or come soon. */
  async next<Type extends ServerMessage['type']>(
    type: Type,
    fits: (message: Of<Type>) => boolean = () => true,
    withinMs = 60_000,
  ): Promise<Of<Type>> {
    const until = performance.now() + withinMs;
    for (;;) {
      const at = this.messages.findIndex((message) => message.type === type && fits(message as Of<Type>));
      if (at !== -1) return this.messages.splice(at, 1)[0] as Of<Type>;
      const left = until - performance.now();
      if (left <= 0 || this.socket.readyState === this.socket.CLOSED)
        throw new Error(`No "${type}" came. There is: ${JSON.stringify(this.messages).slice(0, 1000)}`);
      await this.#change(left);
    }
  }

  /** Subscribes, and waits until that is confirmed. */
  async subscribe(
    collection: string,
    more: { id?: string; filter?: string; since?: string; snapshot?: boolean } = {},
  ): Promise<Of<'subscribed'>> {
    const id = more.id ?? 'a';
    this.send({ type: 'subscribe', collection, ...more, id });
    return this.next('subscribed', (message) => message.id === id);
  }

  /** The error that answers a message. */
  async refusal(message: Record<string, unknown>): Promise<Of<'error'>> {
    this.send(message);
    return this.next('error');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }

  #change(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, withinMs);
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
