import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage } from '@plinth/protocol';
import { WebSocket } from 'ws';
import type { Heard } from './judge-events.ts';
import type { Stored } from './judge-writes.ts';

export interface SubscriberOptions {
  readonly url: () => string;
  readonly apiKey: string;
  readonly collection: string;
  /** What it reads when it is told to read again. */
  readonly readAll: () => Promise<Stored>;
}

const returnAfterMs = 250;

/** Hears of a collection as a careful app does: cut off, it goes on from its cursor; told to read again, it reads. */
export class Subscriber {
  readonly heard: Heard[] = [];
  resyncs = 0;
  readonly #options: SubscriberOptions;
  #socket: WebSocket | undefined;
  #cursor: string | undefined;
  #isStopped = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: SubscriberOptions) {
    this.#options = options;
  }

  /** Resolves once it is subscribed. */
  async start(): Promise<void> {
    this.#connect();
    for (let tries = 0; this.#cursor === undefined; tries += 1) {
      if (tries > 3000) throw new Error('Nobody took the subscription for 60 seconds.');
      await sleep(20);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#socket?.terminate();
    await this.#reading;
  }

  #connect(): void {
    const { url, apiKey } = this.#options;
    const socket = new WebSocket(`${url().replace(/^http/, 'ws')}/realtime`, {
      headers: { 'x-api-key': apiKey },
      handshakeTimeout: 5000,
    });
    this.#socket = socket;
    socket.on('message', (data) => this.#hear(JSON.parse((data as Buffer).toString()) as ServerMessage));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!this.#isStopped) setTimeout(() => this.#connect(), returnAfterMs);
    });
  }

  #hear(message: ServerMessage): void {
    if ('cursor' in message && message.cursor !== undefined) this.#cursor = message.cursor;
    if (message.type === 'ready') this.#subscribe();
    else if (message.type === 'subscribed') this.heard.push({ kind: 'break' });
    else if (message.type === 'resync') this.#readAgain();
    // The feed may be between two holders: come back.
    else if (message.type === 'error') this.#socket!.terminate();
    else if (message.type === 'event') {
      const { id, count } = message.document as { id: string; count?: number };
      if (message.event === 'created' && count === undefined) this.heard.push({ kind: 'created', id });
      else if (count !== undefined) this.heard.push({ kind: 'raised', id, count });
    }
  }

  #subscribe(): void {
    const { collection } = this.#options;
    const since = this.#cursor === undefined ? {} : { since: this.#cursor };
    this.#socket!.send(JSON.stringify({ type: 'subscribe', id: 's', collection, ...since }));
  }

  #readAgain(): void {
    this.resyncs += 1;
    this.heard.push({ kind: 'break' });
    this.#reading = this.#readAfter(this.#reading);
  }

  async #readAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    this.heard.push({ kind: 'read', stored: await this.#options.readAll() });
  }
}
