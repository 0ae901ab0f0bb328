import { type Base, baseId, placeInBase } from './move-base.ts';

/** What the one writer of a document has sent, and which of it was answered. */
export interface Entry {
  readonly id: string;
  readonly n: number;
  readonly writer: number;
  readonly revisions: { readonly counter: number; answeredAt: number }[];
  deletion: { answeredAt: number } | undefined;
  /** The node that answered last. */
  node: number;
}

/** A document as an answer or a table shows it. */
export interface Seen {
  readonly id: string;
  readonly n: number;
  readonly writer: number;
  readonly rev: number;
  readonly counter: number;
}

/** What was certain when a read began. */
export interface Moment {
  readonly at: number;
  readonly created: number;
  readonly deleted: number;
}

const notYet = Number.POSITIVE_INFINITY;
const keptProblems = 30;
const keptRecent = 300;

/** Everything that writers were promised, to hold what is read against it. */
export class Ledger {
  readonly base: Base;
  readonly problems: string[] = [];
  problemCount = 0;
  /** The last documents that were created or changed, the newest last. */
  readonly recent: Entry[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #creating = new Set<number>();
  #now = 0;
  #nextN: number;
  #created = { sent: 0, answered: 0 };
  #deleted = { sent: 0, answered: 0 };

  constructor(base: Base) {
    this.base = base;
    this.#nextN = base.count;
  }

  get entries(): IterableIterator<Entry> {
    return this.#entries.values();
  }

  /** How many documents there are when nothing is under way. */
  get size(): number {
    return this.base.count + this.#created.answered - this.#deleted.answered;
  }

  get written(): { created: number; deleted: number } {
    return { created: this.#created.answered, deleted: this.#deleted.answered };
  }

  problem(text: string): void {
    this.problemCount += 1;
    if (this.problems.length < keptProblems) this.problems.push(text);
  }

  /** One of the documents that were there from the start. */
  inBase(at: number): Entry {
    const id = baseId(this.base, at);
    const known = this.#entries.get(id);
    if (known) return known;
    const revisions = [{ counter: 0, answeredAt: 0 }];
    return { id, n: at, writer: at % this.base.writers, revisions, deletion: undefined, node: 0 };
  }

  find(id: string): Entry | undefined {
    const at = placeInBase(this.base, id);
    return at === undefined ? this.#entries.get(id) : this.inBase(at);
  }

  /** A number for each document that is about to be created. */
  creating(): number {
    this.#created.sent += 1;
    this.#creating.add(this.#nextN);
    return this.#nextN++;
  }

  created(id: string, from: { n: number; writer: number; node: number }): Entry {
    this.#creating.delete(from.n);
    this.#created.answered += 1;
    if (this.find(id)) this.problem(`two documents were given the id ${id}`);
    const entry: Entry = {
      id,
      ...from,
      revisions: [{ counter: 0, answeredAt: ++this.#now }],
      deletion: undefined,
    };
    this.#entries.set(id, entry);
    this.#note(entry);
    return entry;
  }

  /** A change is about to be sent; returns its revision. */
  changing(entry: Entry, counter: number): number {
    this.#entries.set(entry.id, entry);
    return entry.revisions.push({ counter, answeredAt: notYet }) - 1;
  }

  changed(entry: Entry, node: number): void {
    entry.revisions.at(-1)!.answeredAt = ++this.#now;
    entry.node = node;
    this.#note(entry);
  }

  deleting(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.#deleted.sent += 1;
    entry.deletion = { answeredAt: notYet };
  }

  deleted(entry: Entry): void {
    this.#deleted.answered += 1;
    entry.deletion!.answeredAt = ++this.#now;
  }

  /** To be asked when a read begins. */
  moment(): Moment {
    return { at: this.#now, created: this.#created.answered, deleted: this.#deleted.answered };
  }

  /** Was the document certainly there all the time, from a moment until now? */
  isCertain(entry: Entry, since: Moment): boolean {
    const current = this.find(entry.id) ?? entry;
    return current.revisions[0]!.answeredAt <= since.at && current.deletion === undefined;
  }

  /** Holds a document that a read has found against what was certain when it began. */
  check(seen: Seen, since: Moment, where: string): void {
    const entry = this.find(seen.id);
    if (!entry) {
      // Its answer may be on its way still.
      if (!this.#creating.has(seen.n)) this.problem(`${where}: nobody made ${seen.id} (n ${seen.n})`);
      return;
    }
    if (entry.deletion && entry.deletion.answeredAt <= since.at)
      this.problem(`${where}: ${seen.id} was deleted, and is there`);
    const floor = entry.revisions.findLastIndex(({ answeredAt }) => answeredAt <= since.at);
    const revision = entry.revisions[seen.rev];
    if (!revision) this.problem(`${where}: ${seen.id} is at revision ${seen.rev}, which nobody sent`);
    else if (seen.rev < floor)
      this.problem(`${where}: ${seen.id} is at revision ${seen.rev}, and ${floor} had been answered`);
    else if (revision.counter !== seen.counter)
      this.problem(`${where}: ${seen.id} counts ${seen.counter} instead of ${revision.counter}`);
    if (seen.n !== entry.n || seen.writer !== entry.writer)
      this.problem(`${where}: ${seen.id} holds another document (n ${seen.n}, not ${entry.n})`);
  }

  /** A document that a read did not find. */
  checkMissing(entry: Entry, since: Moment, where: string): void {
    if (this.isCertain(entry, since)) this.problem(`${where}: ${entry.id} (n ${entry.n}) is missing`);
  }

  checkTotal(total: unknown, since: Moment, where: string): void {
    const least = this.base.count + since.created - this.#deleted.sent;
    const most = this.base.count + this.#created.sent - since.deleted;
    if (typeof total !== 'number' || total < least || total > most)
      this.problem(`${where}: ${String(total)} is not between ${least} and ${most}`);
  }

  #note(entry: Entry): void {
    this.recent.push(entry);
    if (this.recent.length > keptRecent) this.recent.shift();
  }
}
