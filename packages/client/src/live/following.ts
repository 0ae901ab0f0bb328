import { isPlinthError, PlinthError } from '../errors.ts';
import type { Http } from '../http.ts';
import { printQuery, type QueryState } from '../query-text.ts';
import { Store } from '../store.ts';
import { backoffMs } from '../waiting.ts';
import { comparatorOf, type Row } from './compare.ts';
import type { Connection } from './connection.ts';
import { type LiveState, nothingYet } from './live-state.ts';
import { type Heard, subscribe } from './subscription.ts';

/** What is kept on the device: lists that outlast the page, and writes that are not sent yet. */
export interface Keeping {
  /** What was there when the page was left. */
  load(key: string): Promise<{ rows: readonly Row[]; cursor: string | undefined } | undefined>;
  /** Called after each change; keeps it in its own time. */
  save(key: string, kept: { rows: ReadonlyMap<string, Row>; cursor: string | undefined }): void;
  /** The rows as they will be once everything was sent. */
  withWaiting(collection: string, query: QueryState, rows: ReadonlyMap<string, Row>): readonly Row[];
  /** Ids of new documents carry it. */
  noteNumber(collection: string, number: number): void;
  /** Tells when something waits, or no longer does. */
  onChange(listener: () => void): () => void;
  /** The service can be reached: sends what waits, without waiting for the time of the next try. */
  sendWaiting(): void;
}

export interface FollowingDeps {
  readonly http: Http;
  readonly connection: Connection;
  readonly keeping: (() => Promise<Keeping | undefined>) | undefined;
  /** Nobody has listened for a while. */
  readonly onGone: () => void;
}

const lingerMs = 2000;
/** As many as a snapshot has: such a list is read anew whenever one of its documents changes. */
const mostRows = 10_000;
const tooLarge = () =>
  new PlinthError({
    code: 'snapshot_too_large',
    status: 400,
    message: `The list has more than ${mostRows} documents. Narrow it, or give it a limit.`,
  });

/** The documents of a query as they are on the server: what is there, then every change, over any number of breaks. */
export class Following extends Store<LiveState<Row>> implements Heard {
  readonly #deps: FollowingDeps;
  readonly #collection: string;
  readonly #query: QueryState;
  readonly #key: string;
  readonly #compare: (a: Row, b: Row) => number;
  /** A window of the list, or one with more or less than documents in it: read over REST when something changes. */
  readonly #isWindow: boolean;
  #keeping: Keeping | undefined;
  #rows: Map<string, Row> = new Map();
  #cursor: string | undefined;
  #error: PlinthError | undefined;
  #status: LiveState<Row>['status'] = 'connecting';
  #stop: (() => void) | undefined;
  #goodbye: ReturnType<typeof setTimeout> | undefined;
  #isTelling = false;
  /** Of the reading that counts. */
  #turn = 0;
  #reading: 'no' | 'yes' | 'again' = 'no';
  #failures = 0;

  constructor(collection: string, query: QueryState, deps: FollowingDeps) {
    super(nothingYet);
    this.#deps = deps;
    this.#collection = collection;
    this.#query = query;
    this.#key = keyOf(collection, query);
    this.#compare = comparatorOf(query.sort);
    this.#isWindow = query.limit !== undefined || query.populate.length > 0 || query.select.length > 0;
  }

  protected override started(): void {
    clearTimeout(this.#goodbye);
    if (this.#stop) return;
    const { keeping } = this.#deps;
    if (keeping) void this.#resume(keeping());
    else this.#subscribe();
  }

  /** Shows what was kept, then goes on from there. */
  async #resume(keeping: Promise<Keeping | undefined>): Promise<void> {
    let isOver = false;
    this.#stop = () => {
      isOver = true;
    };
    const found = await keeping;
    const kept = await found?.load(this.#key);
    if (isOver) return;
    this.#keeping = found;
    this.#rows = new Map(kept?.rows.map((row) => [row.id, row]));
    this.#cursor = kept?.cursor;
    const quiet = found?.onChange(() => this.#tell());
    if (kept) this.#tell();
    this.#subscribe();
    const stop = this.#stop;
    this.#stop = () => {
      quiet?.();
      stop();
    };
  }

  #subscribe(): void {
    this.#stop = subscribe(
      this.#deps.connection,
      {
        collection: this.#collection,
        query: this.#query,
        hasSnapshot: !this.#isWindow,
        cursor: this.#cursor,
      },
      this,
    );
  }

  protected override stopped(): void {
    this.#goodbye = setTimeout(() => {
      this.#stop?.();
      this.#stop = undefined;
      this.#turn += 1;
      this.#deps.onGone();
    }, lingerMs);
  }

  onBegun(isWhole: boolean): void {
    if (this.#isWindow) void this.#read();
    else if (isWhole) this.#tell('live');
  }

  onSnapshot(documents: readonly unknown[]): void {
    this.#rows = new Map((documents as readonly Row[]).map((row) => [row.id, row]));
    this.#tell('live');
  }

  onEvent(event: 'created' | 'updated' | 'deleted', document: Row): void {
    if (this.#isWindow) void this.#read();
    else {
      if (event === 'deleted') this.#rows.delete(document.id);
      else this.#rows.set(document.id, document);
      this.#tell();
    }
  }

  onNumber(number: number): void {
    this.#keeping?.noteNumber(this.#collection, number);
  }

  onCursor(cursor: string | undefined): void {
    this.#cursor = cursor;
    this.#keep();
  }

  onMissed(): void {
    this.#tell('connecting');
  }

  onLost(status: 'away' | 'refused', error: PlinthError): void {
    this.#turn += 1;
    this.#reading = 'no';
    // What was refused may not be seen, now or from the disk.
    if (status === 'refused') this.#rows = new Map();
    this.#tell(status, error);
  }

  onOtherUser(): void {
    this.#turn += 1;
    this.#reading = 'no';
    this.#rows = new Map();
    this.#cursor = undefined;
    this.#status = 'connecting';
    this.#error = undefined;
    // At once: nothing of another user is shown for a moment longer.
    this.set(nothingYet);
  }

  /** Reads once for all events of a moment, one reading at a time. */
  async #read(): Promise<void> {
    if (this.#reading !== 'no') {
      this.#reading = 'again';
      return;
    }
    this.#reading = 'yes';
    const turn = this.#turn;
    try {
      const rows = await this.#page();
      if (turn !== this.#turn) return;
      this.#failures = 0;
      this.#rows = new Map(rows.map((row) => [row.id, row]));
      this.#tell('live');
      this.#keep();
    } catch (error) {
      if (turn !== this.#turn) return;
      if (!isPlinthError(error)) throw error;
      const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
      this.#tell(isRefused ? 'refused' : 'away', error);
      if (!isRefused) {
        this.#failures += 1;
        setTimeout(() => turn === this.#turn && void this.#read(), backoffMs(this.#failures));
      }
    } finally {
      if (turn === this.#turn) {
        const isAgain = (this.#reading as string) === 'again';
        this.#reading = 'no';
        if (isAgain) void this.#read();
      }
    }
  }

  async #page(): Promise<readonly Row[]> {
    const { limit = Number.POSITIVE_INFINITY } = this.#query;
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const query = printQuery(this.#query, { cursor, limit: Math.min(100, limit - rows.length) });
      const path = `/collections/${encodeURIComponent(this.#collection)}/query`;
      const answer = await this.#deps.http.call<Row[]>({
        method: 'POST',
        path,
        body: query,
        isRepeatable: true,
        headers: { Prefer: 'count=none' },
      });
      rows.push(...answer.data);
      if (rows.length > mostRows) throw tooLarge();
      cursor = answer.nextCursor ?? undefined;
    } while (cursor !== undefined && rows.length < limit);
    return rows;
  }

  /** What it has of a document. */
  find(id: string): Row | undefined {
    return this.get().items.find((row) => row.id === id);
  }

  /** Of this collection? */
  isOf(collection: string): boolean {
    return this.#collection === collection && this.#query.select.length === 0;
  }

  /** Many changes of one moment are told once. */
  #tell(status = this.#status, error?: PlinthError): void {
    this.#status = status;
    this.#error = error;
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      const waiting = this.#keeping?.withWaiting(this.#collection, this.#query, this.#rows);
      const items = [...(waiting ?? this.#rows.values())];
      if (!this.#isWindow) items.sort(this.#compare);
      this.set({ status: this.#status, items, ...(this.#error && { error: this.#error }) });
    });
  }

  #keep(): void {
    this.#keeping?.save(this.#key, { rows: this.#rows, cursor: this.#cursor });
  }
}

/** The same for the same list. */
export const keyOf = (collection: string, query: QueryState) => `${collection}?${printQuery(query)}`;
