import type { Http } from '../http.ts';
import { comparatorOf, type Row } from '../live/compare.ts';
import type { Keeping } from '../live/following.ts';
import { printFilter, type QueryState } from '../query-text.ts';
import { applyChanges } from './apply-changes.ts';
import { Database } from './database.ts';
import { matches } from './matches.ts';
import { newId } from './new-id.ts';
import { Outbox, type Settled, type WaitingWrite, type Wish } from './outbox.ts';

export interface OfflineOptions {
  readonly http: Http;
  /** Lists are kept. */
  readonly persist: boolean;
  /** Who is signed in; empty for nobody. */
  readonly user: () => string;
  /** A document that some live list has. */
  readonly find: (collection: string, id: string) => Row | undefined;
}

interface KeptList {
  readonly rows: readonly Row[];
  readonly cursor: string | undefined;
}

/** Lists change often, and a moment later is early enough. */
const saveEveryMs = 300;
/** So long the answer to a write is shown before the list itself has it. */
const settledMs = 10_000;

/** What an app keeps on the device: its lists, and what it could not send yet. */
export class Offline implements Keeping {
  readonly outbox: Outbox;
  readonly #db: Database;
  readonly #options: OfflineOptions;
  readonly #listeners = new Set<() => void>();
  readonly #numbers = new Map<string, number>();
  #settled: readonly (Settled & { readonly until: number })[] = [];
  readonly #unsaved = new Map<string, { rows: ReadonlyMap<string, Row>; cursor: string | undefined }>();
  #saving: ReturnType<typeof setTimeout> | undefined;

  constructor(db: Database, options: OfflineOptions) {
    this.#db = db;
    this.#options = options;
    this.outbox = new Outbox({
      db,
      http: options.http,
      name: `plinth-outbox:${options.http.url}`,
      user: options.user,
      onSettled: (settled) => this.#settle(settled),
    });
    this.outbox.subscribe(() => this.#tell());
    globalThis.addEventListener?.('pagehide', () => void this.#save());
  }

  static async open(options: OfflineOptions): Promise<Offline> {
    const offline = new Offline(await Database.open(`plinth:${options.http.url}`), options);
    await offline.outbox.load();
    return offline;
  }

  async load(key: string): Promise<KeptList | undefined> {
    if (!this.#options.persist) return undefined;
    const kept = await this.#db.get<KeptList>('lists', this.#keyOf(key)).catch(() => undefined);
    return kept;
  }

  save(key: string, { rows, cursor }: { rows: ReadonlyMap<string, Row>; cursor: string | undefined }): void {
    if (!this.#options.persist) return;
    // Copied once, when it is saved. Rows may be ahead of their place: what comes after it is told again.
    this.#unsaved.set(this.#keyOf(key), { rows, cursor });
    this.#saving ??= setTimeout(() => void this.#save(), saveEveryMs);
  }

  /** Nothing of a user stays on the device after the sign-out, but what was not sent yet. */
  async changeUser(): Promise<void> {
    this.#unsaved.clear();
    this.#settled = [];
    this.outbox.show();
    this.outbox.kick();
    const user = `${this.#options.user()}\n`;
    await this.#db.delete('lists', IDBKeyRange.upperBound(user, true)).catch(() => {});
    await this.#db.delete('lists', IDBKeyRange.lowerBound(`${user}\uffff`)).catch(() => {});
  }

  sendWaiting(): void {
    this.outbox.kick();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  noteNumber(collection: string, number: number): void {
    if (this.#numbers.get(collection) === number) return;
    this.#numbers.set(collection, number);
    void this.#db.put('numbers', number, collection).catch(() => {});
  }

  withWaiting(collection: string, query: QueryState, rows: ReadonlyMap<string, Row>): readonly Row[] {
    const now = Date.now();
    // What the list has itself, or should have by now, is no longer ours to show.
    this.#settled = this.#settled.filter(
      ({ until, ...one }) => until > now && (one.collection !== collection || !isShown(one, rows)),
    );
    const settled = this.#settled.filter((one) => one.collection === collection);
    const waiting = this.outbox.waitingIn(collection);
    if (settled.length + waiting.length === 0) return [...rows.values()];
    const filter = printFilter(query);
    const shown = new Map(rows);
    const put = (id: string, document: Row | null | undefined) => {
      if (document && matches(filter, document)) shown.set(id, document);
      else shown.delete(id);
    };
    for (const { id, document } of settled) put(id, document);
    for (const write of waiting) {
      const before = shown.get(write.id);
      // What a change makes of a document that the list does not have, only the server can tell.
      if (before || write.action === 'create') put(write.id, afterWrite(write, before));
    }
    const items = [...shown.values()];
    items.sort(comparatorOf(query.sort));
    return items.slice(0, query.limit);
  }

  /** Keeps a write, and gives what the document will be. Undefined: it cannot be kept, and has to be sent now. */
  async queue(wish: Omit<Wish, 'id'> & { readonly id?: string }): Promise<Row | undefined> {
    const { collection } = wish;
    let { id } = wish;
    if (id === undefined) {
      const number = await this.#numberOf(collection);
      if (number === undefined) return undefined;
      id = newId(number);
    }
    const before = this.#options.find(collection, id);
    const write = await this.outbox.add({ ...wish, id });
    return afterWrite(write, before) ?? applyChanges({ id }, wish.body ?? {});
  }

  async #numberOf(collection: string): Promise<number | undefined> {
    const known = this.#numbers.get(collection) ?? (await this.#db.get<number>('numbers', collection));
    if (known !== undefined) return known;
    const path = `/collections/${encodeURIComponent(collection)}`;
    const call = { method: 'GET', path, query: 'limit=1', headers: { Prefer: 'count=none' } } as const;
    try {
      const answer = await this.#options.http.call(call);
      const { number } = (answer as unknown as { collection: { number: number } }).collection;
      this.noteNumber(collection, number);
      return number;
    } catch {
      return undefined;
    }
  }

  async #save(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const unsaved = [...this.#unsaved];
    this.#unsaved.clear();
    // A full disk keeps nothing: the next visit begins without it.
    const copies = unsaved.map(
      ([key, { rows, cursor }]) => [key, { rows: [...rows.values()], cursor }] as const,
    );
    for (const [key, list] of copies) await this.#db.put('lists', list, key).catch(() => {});
  }

  #settle(settled: Settled): void {
    const others = this.#settled.filter(({ id }) => id !== settled.id);
    this.#settled = [...others, { ...settled, until: Date.now() + settledMs }];
    setTimeout(() => this.#tell(), settledMs + 10);
  }

  #tell(): void {
    for (const listener of Array.from(this.#listeners)) listener();
  }

  #keyOf(key: string): string {
    return `${this.#options.user()}\n${key}`;
  }
}

/** Does the list show what a write came to? */
function isShown({ id, document }: Settled, rows: ReadonlyMap<string, Row>): boolean {
  const row = rows.get(id);
  if (!document) return !row;
  return (row?.updatedAt ?? '') >= (document.updatedAt ?? '');
}

/** The document after a write; undefined if there is none. */
function afterWrite({ id, action, body = {}, at }: WaitingWrite, before: Row | undefined): Row | undefined {
  if (action === 'delete') return undefined;
  if (action === 'update') return before && { ...applyChanges(before, body), updatedAt: at };
  const { createdAt = at } = (before ?? {}) as { createdAt?: string };
  return applyChanges({ id, createdAt, updatedAt: at } as Row, body);
}
