import type { Answered, Stored } from './judge-writes.ts';

/** What a subscriber heard, in the order in which it came. */
export type Heard =
  | { readonly kind: 'created'; readonly id: string }
  | { readonly kind: 'raised'; readonly id: string; readonly count: number }
  /** It goes on from its cursor, or was told to read again: what came before may come again, or be left out. */
  | { readonly kind: 'break' }
  /** What it has read because it was told to. */
  | { readonly kind: 'read'; readonly stored: Stored };

export interface EventVerdict {
  /** Answered to a writer, and never heard of. */
  readonly missing: readonly string[];
  /** Heard of, and never so; or heard of twice. */
  readonly invented: readonly string[];
}

/** Holds what one subscriber heard against what was answered and what is there. No document is deleted meanwhile. */
export function judgeEvents(heard: readonly Heard[], answered: Answered, stored: Stored): EventVerdict {
  const account = new Account(stored);
  for (const one of heard) account.take(one);
  return account.close(answered);
}

class Account {
  readonly #stored: Stored;
  readonly #known = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** Since the last break. */
  readonly #created = new Set<string>();
  readonly #latest = new Map<string, number>();
  readonly #missing: string[] = [];
  readonly #invented: string[] = [];

  constructor(stored: Stored) {
    this.#stored = stored;
  }

  take(heard: Heard): void {
    if (heard.kind === 'created') this.#create(heard.id);
    else if (heard.kind === 'raised') this.#raise(heard.id, heard.count);
    else if (heard.kind === 'read') this.#read(heard.stored);
    else {
      this.#created.clear();
      this.#latest.clear();
    }
  }

  close({ created, raised }: Answered): EventVerdict {
    for (const [name, id] of created) if (!this.#known.has(id)) this.#missing.push(name);
    for (const id of raised.keys()) {
      const [count, known] = [this.#stored.counts.get(id) ?? 0, this.#counts.get(id) ?? 0];
      if (known < count) this.#missing.push(`${id}: ${count}, and the last heard of is ${known}`);
    }
    return { missing: this.#missing, invented: this.#invented };
  }

  #create(id: string): void {
    if (!this.#stored.names.has(id)) this.#invented.push(`${id} is not there`);
    if (this.#created.has(id)) this.#invented.push(`${id} is created twice`);
    this.#created.add(id);
    this.#known.add(id);
  }

  #raise(id: string, count: number): void {
    const before = this.#latest.get(id);
    if (count > (this.#stored.counts.get(id) ?? 0)) this.#invented.push(`${id}: ${count} never was`);
    if (before !== undefined && count <= before) this.#invented.push(`${id}: ${count} after ${before}`);
    for (let n = (before ?? count) + 1; n < count; n += 1) this.#missing.push(`${id}: ${n}`);
    this.#latest.set(id, count);
    this.#note(id, count);
  }

  #read({ names, counts }: Stored): void {
    for (const id of names.keys()) this.#known.add(id);
    for (const [id, count] of counts) this.#note(id, count);
  }

  #note(id: string, count: number): void {
    this.#counts.set(id, Math.max(count, this.#counts.get(id) ?? 0));
  }
}
