import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage } from '@plinth/protocol';
import { WebSocket } from 'ws';
import type { Told, Version } from './history.ts';

/** Someone who follows a query through everything: cut off, it comes back to some node and goes on from its cursor. */
export class Subscriber {
  readonly told: Told[] = [];
  resyncs = 0;
  reconnects = 0;
  readonly #urls: () => readonly string[];
  readonly #headers: Record<string, string>;
  readonly #asked: { collection: string; filter: string };
  #socket: WebSocket | undefined;
  #cursor: string | undefined;
  #isBegun = false;
  #isStopped = false;

  constructor(
    urls: () => readonly string[],
    headers: Record<string, string>,
    asked: { collection: string; filter: string },
  ) {
    this.#urls = urls;
    this.#headers = headers;
    this.#asked = asked;
  }

  /** Resolves once it is subscribed for the first time. */
  async start(): Promise<void> {
    await this.#connect();
    while (this.#cursor === undefined) await sleep(20);
  }

  cut(): void {
    this.#socket?.terminate();
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.terminate();
  }

  async #connect(): Promise<void> {
    const urls = this.#urls();
    const url = urls[Math.floor(Math.random() * urls.length)]!;
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/realtime`, { headers: this.#headers });
    this.#socket = socket;
    socket.on('message', (data) => this.#hear(JSON.parse((data as Buffer).toString()) as ServerMessage));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.reconnects += 1;
      if (!this.#isStopped) setTimeout(() => void this.#connect(), 50 + Math.random() * 200);
    });
  }

  #hear(message: ServerMessage): void {
    if ('cursor' in message) this.#cursor = message.cursor;
    if (message.type === 'ready') {
      const since = this.#cursor === undefined ? {} : { since: this.#cursor };
      this.#socket!.send(JSON.stringify({ type: 'subscribe', id: 's', ...this.#asked, ...since }));
    } else if (message.type === 'subscribed') {
      this.told.push(this.#isBegun ? { kind: 'resumed', at: performance.now() } : { kind: 'begun' });
      this.#isBegun = true;
    } else if (message.type === 'resync') {
      this.resyncs += 1;
    } else if (message.type === 'error') {
      // The feed may be between two holders: come back.
      this.#socket!.terminate();
    } else if (message.type === 'event') {
      const { id, n, state, level, owner } = message.document as unknown as Version & { id: string };
      const version = message.event === 'deleted' ? {} : { version: { n, state, level, owner } };
      this.told.push({ kind: 'event', event: message.event, id, ...version });
    }
  }
}
