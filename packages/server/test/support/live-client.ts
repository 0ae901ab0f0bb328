import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientMessage, ServerMessage } from '@plinth/protocol';
import { type ClientOptions, WebSocket } from 'ws';
import { parseJsonText } from '../../src/platform/json.ts';

type Of<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

const patienceMs = 60_000;

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
      this.messages.push(parseJsonText((data as Buffer).toString()) as ServerMessage);
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
    withinMs = patienceMs,
  ): Promise<Of<Type>> {
    const isIt = (message: ServerMessage): message is Of<Type> =>
      message.type === type && fits(message as Of<Type>);
    return this.#first(`"${type}"`, isIt, withinMs);
  }

  /** Subscribes, and waits until that is confirmed. While the change feed is not there it asks again, as an app would. */
  async subscribe(
    collection: string,
    more: { id?: string; filter?: string; since?: string; snapshot?: boolean } = {},
  ): Promise<Of<'subscribed'>> {
    const id = more.id ?? 'a';
    const until = performance.now() + patienceMs;
    for (;;) {
      const earlier = new Set(this.messages);
      const isAnswer = (message: ServerMessage): message is Of<'subscribed'> | Of<'error'> =>
        (message.type === 'subscribed' || message.type === 'error') &&
        'id' in message &&
        message.id === id &&
        !earlier.has(message);
      this.send({ type: 'subscribe', collection, ...more, id });
      const answer = await this.#first(`answer to the subscription "${id}"`, isAnswer, patienceMs);
      if (answer.type === 'subscribed') return answer;
      if (answer.code !== 'engine_unavailable' || performance.now() > until)
        throw new Error(`The subscription "${id}" was refused: ${answer.code}: ${answer.message}`);
      await sleep(250);
    }
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

  async #first<Message extends ServerMessage>(
    what: string,
    isIt: (message: ServerMessage) => message is Message,
    withinMs: number,
  ): Promise<Message> {
    const until = performance.now() + withinMs;
    for (;;) {
      const found = this.messages.find(isIt);
      if (found) {
        this.messages.splice(this.messages.indexOf(found), 1);
        return found;
      }
      const left = until - performance.now();
      if (left <= 0 || this.socket.readyState === this.socket.CLOSED)
        throw new Error(`No ${what} came. There is: ${JSON.stringify(this.messages).slice(0, 1000)}`);
      await this.#change(left);
    }
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
