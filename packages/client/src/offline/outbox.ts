import { methods } from '../door.ts';
import { isPlinthError, type PlinthError } from '../errors.ts';
import type { Call, Http } from '../http.ts';
import type { Row } from '../live/compare.ts';
import { randomId } from '../random-id.ts';
import { Store } from '../store.ts';
import { backoffMs } from '../waiting.ts';
import type { Database } from './database.ts';

/** A write requested by the app. */
export interface Wish {
  readonly collection: string;
  readonly action: keyof typeof methods;
  readonly id: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: string | undefined;
}

/** A write that is waiting to be sent, or that was rejected. */
export interface WaitingWrite extends Wish {
  /** They are sent in this order. */
  readonly seq: number;
  /** The idempotency key: the write is processed once, however often it is sent. */
  readonly key: string;
  /** The user it belongs to; empty if not signed in. */
  readonly user: string;
  readonly at: string;
  /** Why it was rejected. */
  readonly error?: { readonly code: string; readonly message: string; readonly status: number };
}

export interface OutboxState {
  /** False until the device was read: until then, the lists are empty because nothing is known. */
  readonly isLoaded: boolean;
  /** The writes that are waiting to be sent, in order. */
  readonly waiting: readonly WaitingWrite[];
  /** The writes that the server rejected. They stay until you retry or discard them. */
  readonly refused: readonly WaitingWrite[];
}

/** What a write came to, until lists show it. */
export interface Settled {
  readonly id: string;
  readonly collection: string;
  /** Null if it was deleted. */
  readonly document: Row | null;
}

export interface OutboxDeps {
  readonly db: Database;
  readonly http: Http;
  readonly name: string;
  /** Who is signed in; empty for nobody. */
  readonly user: () => string;
  readonly onSettled: (settled: Settled) => void;
}

/** Writes on their way: kept on the device, sent one after the other by one tab, and never twice. */
export class Outbox extends Store<OutboxState> {
  readonly #deps: OutboxDeps;
  readonly #channel: BroadcastChannel | undefined;
  #writes: readonly WaitingWrite[] = [];
  /** The last write that this tab knows of. */
  #lastSeq = 0;
  #isLoaded = false;
  #sending: Promise<void> | undefined;
  /** Ends the pause between two tries. */
  #wake: (() => void) | undefined;

  constructor(deps: OutboxDeps) {
    super({ isLoaded: false, waiting: [], refused: [] });
    this.#deps = deps;
    if (typeof BroadcastChannel === 'function') {
      this.#channel = new BroadcastChannel(deps.name);
      this.#channel.addEventListener('message', ({ data }: MessageEvent<Settled | null>) => {
        if (data) deps.onSettled(data);
        void this.load();
      });
    }
    globalThis.addEventListener?.('online', () => this.kick());
  }

  /** Reads what waits, also of earlier visits and other tabs, and sends it. */
  async load(): Promise<void> {
    await this.#read();
    this.kick();
  }

  /** Keeps a write. Once it is kept it will be sent, however often the page is closed. */
  async add(wish: Wish): Promise<WaitingWrite> {
    const write = { ...wish, key: randomId(), user: this.#deps.user(), at: new Date().toISOString() };
    const seq = (await this.#deps.db.put('writes', write)) as number;
    const kept = { ...write, seq };
    // Another tab may have just kept what this write relies on: they are sent in order.
    if (seq > this.#lastSeq + 1) await this.#read();
    else if (seq > this.#lastSeq) this.#know([...this.#writes, kept]);
    this.#changed(null);
    this.kick();
    return kept;
  }

  /** Sends a refused write again. */
  async retry(seq: number): Promise<void> {
    const found = this.#writes.find((one) => one.seq === seq);
    if (!found?.error) return;
    const { error: _, ...write } = found;
    await this.#replace(write);
    this.kick();
  }

  /** Gives up a write that waits or was refused. */
  async discard(seq: number): Promise<void> {
    await this.#deps.db.delete('writes', seq);
    this.#writes = this.#writes.filter((one) => one.seq !== seq);
    this.#changed(null);
  }

  /** What waits in a collection. */
  waitingIn(collection: string): readonly WaitingWrite[] {
    return this.get().waiting.filter((write) => write.collection === collection);
  }

  /** Shows what is whose: called when another user signs in. */
  show(): void {
    const user = this.#deps.user();
    const own = this.#writes.filter((write) => write.user === user);
    const waiting = own.filter(({ error }) => !error);
    const refused = own.filter(({ error }) => error);
    const before = this.get();
    const isSame = (a: readonly WaitingWrite[], b: readonly WaitingWrite[]) =>
      a.length === b.length && a.every(({ seq }, at) => seq === b[at]?.seq);
    const isLoaded = this.#isLoaded;
    if (isLoaded !== before.isLoaded || !isSame(waiting, before.waiting) || !isSame(refused, before.refused))
      this.set({ isLoaded, waiting, refused });
  }

  /** Sends what waits, now. */
  kick(): void {
    this.#wake?.();
    if (this.#sending || this.get().waiting.length === 0) return;
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    const drain = () => this.#drain();
    const drained: Promise<void> = locks ? locks.request(this.#deps.name, drain) : drain();
    this.#sending = drained
      .catch(() => {})
      .finally(() => {
        this.#sending = undefined;
        // What came while the last one was sent.
        if (this.get().waiting.length > 0) setTimeout(() => this.kick(), 100);
      });
  }

  async #read(): Promise<void> {
    this.#know(await this.#deps.db.all<WaitingWrite>('writes'));
    this.#isLoaded = true;
    this.show();
  }

  #know(writes: readonly WaitingWrite[]): void {
    this.#writes = writes;
    this.#lastSeq = Math.max(this.#lastSeq, writes.at(-1)?.seq ?? 0);
  }

  async #drain(): Promise<void> {
    // Another tab may have sent some of it meanwhile.
    await this.#read();
    for (let failures = 0; ; ) {
      const [next] = this.get().waiting;
      if (!next) return;
      try {
        await this.#send(next);
        failures = 0;
      } catch (error) {
        if (!isPlinthError(error)) throw error;
        if (isRefusal(error)) {
          const { code, message, status } = error;
          await this.#replace({ ...next, error: { code, message, status } });
        } else {
          failures += 1;
          await this.#pause(error.retryAfterMs ?? backoffMs(failures, { firstMs: 500 }));
        }
      }
    }
  }

  async #send(write: WaitingWrite): Promise<void> {
    const { collection, id, action } = write;
    let document: Row | null = null;
    try {
      const { data } = await this.#deps.http.call<Row>(callOf(write));
      if (action !== 'delete') document = data;
    } catch (error) {
      // Done before, in a call whose answer was lost long ago.
      const isDone =
        (action === 'create' && isPlinthError(error, 'id_taken')) ||
        (action === 'delete' && isPlinthError(error, 'document_not_found'));
      if (!isDone) throw error;
    }
    const settled = { id, collection, document };
    if (document || action === 'delete') this.#deps.onSettled(settled);
    await this.#deps.db.delete('writes', write.seq);
    this.#writes = this.#writes.filter(({ seq }) => seq !== write.seq);
    this.#changed(document || action === 'delete' ? settled : null);
  }

  async #replace(write: WaitingWrite): Promise<void> {
    await this.#deps.db.put('writes', write);
    this.#writes = this.#writes.map((one) => (one.seq === write.seq ? write : one));
    this.#changed(null);
  }

  #changed(settled: Settled | null): void {
    this.#channel?.postMessage(settled);
    this.show();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

function callOf({ collection, action, id, body, ifMatch, key }: WaitingWrite): Call {
  const path = `/collections/${encodeURIComponent(collection)}`;
  const isNew = action === 'create';
  return {
    method: methods[action],
    path: isNew ? path : `${path}/${encodeURIComponent(id)}`,
    ...(body && { body: isNew ? { ...body, id } : body }),
    headers: ifMatch === undefined ? {} : { 'If-Match': `"${ifMatch}"` },
    idempotencyKey: key,
  };
}

/** Signed out, too slow, too early, too often: none of it is about the write. */
const passing = new Set([401, 408, 425, 429]);

/** Will it be refused next time too? The page of a proxy or captive portal says nothing about the write, except that it is too large. */
function isRefusal({ status, retryAfterMs, code }: PlinthError): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    !passing.has(status) &&
    !retryAfterMs &&
    code !== 'upload_busy' &&
    (code !== 'invalid_answer' || status === 413)
  );
}
