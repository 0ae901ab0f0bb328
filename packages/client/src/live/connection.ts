import { type ClientMessage, closeCodes, type ErrorCode, type ServerMessage } from '@plinth/protocol';
import { isPlinthError, PlinthError } from '../errors.ts';
import type { Http } from '../http.ts';
import { Store } from '../store.ts';
import { backoffMs } from '../waiting.ts';

/** `away`: the connection is lost, and is being retried. `refused`: it is not retried. */
export type ConnectionState = 'idle' | 'connecting' | 'open' | 'away' | 'refused';

/** What wants to be told: a subscription, or a room. */
export interface Follower {
  /** The connection is there: say what is wanted. */
  onReady(): void;
  onMessage(message: ServerMessage): void;
  onLost(status: 'away' | 'refused', error: PlinthError): void;
  /** Another user, or none: nothing of before may be shown. */
  onOtherUser(): void;
}

export type OpenSocket = (url: string) => WebSocket;

const pingEveryMs = 15_000;
const pongWithinMs = 5000;
const readyWithinMs = 15_000;
const lingerMs = 2000;

/** One connection for all subscriptions and rooms of a client, open as long as something needs it. */
export class Connection extends Store<ConnectionState> {
  readonly #http: Http;
  readonly #open: OpenSocket | undefined;
  readonly #followers = new Set<Follower>();
  /** Of the try that counts: whatever an earlier one says is not listened to. */
  #turn = 0;
  #socket: WebSocket | undefined;
  #tried = 0;
  #timers: { retry?: Timer; silence?: Timer; ping?: Timer; goodbye?: Timer } = {};

  constructor(http: Http, open: OpenSocket | undefined) {
    super('idle');
    this.#http = http;
    this.#open = open;
  }

  follow(follower: Follower): () => void {
    clearTimeout(this.#timers.goodbye);
    this.#followers.add(follower);
    const state = this.get();
    if (state === 'open') follower.onReady();
    else if (state === 'idle' || state === 'refused') {
      this.#hearPage(true);
      void this.#connect();
    }
    return () => {
      this.#followers.delete(follower);
      // Whoever comes back within a moment, as React does, finds it open.
      if (this.#followers.size === 0) this.#timers.goodbye = setTimeout(this.#sayGoodbye, lingerMs);
    };
  }

  /** False: there is no connection to send it over. */
  send(message: ClientMessage): boolean {
    if (this.get() !== 'open') return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Another user, or none: what is open belongs to the former one. */
  changeUser(): void {
    for (const follower of this.#followers) follower.onOtherUser();
    if (this.get() === 'idle') return;
    this.#tried = 0;
    if (this.#followers.size > 0) void this.#connect();
    else this.#sayGoodbye();
  }

  /** Retries immediately, even after `refused`. */
  retry(): void {
    if (this.get() === 'idle') return;
    this.#tried = 0;
    void this.#connect();
  }

  readonly #sayGoodbye = () => {
    this.#hearPage(false);
    this.#close('idle');
  };

  async #connect(): Promise<void> {
    this.#close('connecting');
    const turn = this.#turn;
    try {
      const headers = await this.#http.headers();
      const isKnown = ['X-API-Key', 'Authorization', 'X-Plinth-Dashboard'].some((name) => name in headers);
      const ticket = isKnown ? await this.#ticket() : undefined;
      if (turn === this.#turn) this.#listen(turn, this.#newSocket(socketUrl(this.#http.url, ticket)));
    } catch (error) {
      if (turn !== this.#turn) return;
      if (!isPlinthError(error)) throw error;
      this.#lost(error, isFinal(error));
    }
  }

  async #ticket(): Promise<string> {
    const call = { method: 'POST', path: '/realtime/ticket', isRepeatable: true } as const;
    return (await this.#http.call<{ ticket: string }>(call)).data.ticket;
  }

  #newSocket(url: string): WebSocket {
    if (this.#open) return this.#open(url);
    if (typeof WebSocket === 'function') return new WebSocket(url);
    const message =
      'WebSocket is not available here. Pass one to createClient, such as that of the package ws: webSocket: (url) => new WebSocket(url).';
    throw new PlinthError({ code: 'no_websocket', status: 0, message });
  }

  #listen(turn: number, socket: WebSocket): void {
    this.#socket = socket;
    this.#expect(readyWithinMs);
    socket.addEventListener('message', ({ data }) => {
      if (turn !== this.#turn) return;
      clearTimeout(this.#timers.silence);
      delete this.#timers.silence;
      const message = JSON.parse(String(data)) as ServerMessage;
      // After a fresh token it comes again.
      if (message.type === 'ready') {
        if (this.get() !== 'open') this.#begin();
      } else for (const follower of Array.from(this.#followers)) follower.onMessage(message);
    });
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code, reason }) => {
      if (turn !== this.#turn) return;
      // A token that has ended is renewed with the next try; one that is refused at once is none.
      const isOver = code === closeCodes.notSignedIn && this.get() !== 'open';
      this.#lost(closeError(code, reason), isOver || code === closeCodes.foreignOrigin, code);
    });
  }

  #begin(): void {
    this.#tried = 0;
    this.set('open');
    this.#timers.ping = setInterval(this.#ping, pingEveryMs);
    for (const follower of Array.from(this.#followers)) follower.onReady();
  }

  /** A connection may be dead without anybody having said so. */
  readonly #ping = () => {
    if (this.#timers.silence === undefined && this.send({ type: 'ping' })) this.#expect(pongWithinMs);
  };

  #expect(withinMs: number): void {
    this.#timers.silence = setTimeout(() => this.#lost(closeError(0, ''), false), withinMs);
  }

  /** The network is back, or the page is looked at again: it is not kept waiting. */
  readonly #now = () => {
    if (globalThis.document?.visibilityState === 'hidden') return;
    if (this.get() === 'away') void this.#connect();
    else this.#ping();
  };

  #hearPage(isOn: boolean): void {
    for (const [target, type] of [
      [globalThis, 'online'],
      [globalThis.document, 'visibilitychange'],
    ] as const) {
      if (isOn) target?.addEventListener?.(type, this.#now);
      else target?.removeEventListener?.(type, this.#now);
    }
  }

  #lost(error: PlinthError, isRefused: boolean, code = 0): void {
    const state = isRefused ? 'refused' : 'away';
    this.#close(state);
    for (const follower of Array.from(this.#followers)) follower.onLost(state, error);
    if (isRefused || this.#followers.size === 0) return;
    const waitMs =
      code === closeCodes.goingAway && this.#tried === 0
        ? Math.random() * 500
        : (error.retryAfterMs ?? backoffMs(this.#tried, { firstMs: 500 }));
    this.#timers.retry = setTimeout(() => void this.#connect(), waitMs);
    this.#tried += 1;
  }

  #close(state: ConnectionState): void {
    const { retry, silence, ping, goodbye } = this.#timers;
    for (const timer of [retry, silence, ping]) clearTimeout(timer);
    this.#timers = { ...(state !== 'idle' && goodbye && { goodbye }) };
    this.#turn += 1;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    if (state !== this.get()) this.set(state);
  }
}

type Timer = ReturnType<typeof setTimeout>;

function socketUrl(url: string, ticket: string | undefined): string {
  // The address of a project may be a path of the page's own server.
  const whole = url.startsWith('/') ? globalThis.location.origin + url : url;
  // A ticket stands for whoever it was made by, also where calls go through management.
  const direct = whole.replace(/^http/, 'ws').replace('/management/p/', '/p/');
  return `${direct}/realtime${ticket ? `?ticket=${ticket}` : ''}`;
}

/** What will not pass by itself. */
function isFinal({ status, code }: PlinthError): boolean {
  return code === 'no_websocket' || (status >= 400 && status < 500 && status !== 429);
}

function closeError(code: number, reason: string): PlinthError {
  const known: Readonly<Record<number, ErrorCode>> = {
    [closeCodes.notSignedIn]: 'invalid_credentials',
    [closeCodes.foreignOrigin]: 'origin_not_allowed',
  };
  const message = reason || 'The connection was lost.';
  return new PlinthError({ code: known[code] ?? 'network_failed', status: 0, message });
}
