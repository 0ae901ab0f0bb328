import { firstFields } from './move-base.ts';
import type { Entry, Seen } from './move-ledger.ts';
import { anyBelow, anyOf, anyPlace, send, type World } from './move-world.ts';

/** The only one who writes its documents: it always knows what they must be. */
export class Writer {
  readonly #world: World;
  readonly #number: number;
  readonly #created: Entry[] = [];
  readonly #kinds: readonly (readonly [number, () => Promise<void>])[];

  constructor(world: World, number: number) {
    this.#world = world;
    this.#number = number;
    this.#kinds = [
      [20, () => this.#create()],
      [30, () => this.#patch()],
      [10, () => this.#put()],
      [8, () => this.#delete()],
      [6, () => this.#createBatch()],
      [18, () => this.#patchBatch()],
      [8, () => this.#deleteBatch()],
    ];
  }

  /** One write of any kind. */
  async write(): Promise<void> {
    let dice = anyBelow(100);
    for (const [share, work] of this.#kinds) {
      dice -= share;
      if (dice < 0) return work();
    }
  }

  #anyNode(): number {
    return anyBelow(this.#world.calls.nodes.length);
  }

  /** A document of its own that is there. */
  #pick(): Entry | undefined {
    const { ledger } = this.#world;
    for (let tries = 0; tries < 10; tries += 1) {
      const place = anyPlace(this.#world);
      const entry =
        Math.random() < 0.35
          ? anyOf(this.#created)
          : ledger.inBase(Math.max(0, place - (place % ledger.base.writers) + this.#number));
      if (entry && entry.writer === this.#number && !entry.deletion && ledger.find(entry.id)) return entry;
    }
    return undefined;
  }

  #pickSome(most: number): Entry[] {
    const picked = Array.from({ length: 2 + anyBelow(most - 1) }, () => this.#pick());
    return [
      ...new Map(picked.filter((entry) => entry !== undefined).map((entry) => [entry.id, entry])).values(),
    ];
  }

  #newFields() {
    return firstFields(this.#world.ledger.creating(), this.#number);
  }

  #noteCreated(record: Seen, n: number, node: number): void {
    if (record.n !== n) this.#world.ledger.problem(`a create of n ${n} was answered with n ${record.n}`);
    this.#created.push(this.#world.ledger.created(record.id, { n, writer: this.#number, node }));
  }

  async #create(): Promise<void> {
    const node = this.#anyNode();
    const body = this.#newFields();
    const answer = await send(this.#world, 'create', { node, method: 'POST', body, expected: [201] });
    if (answer) this.#noteCreated(answer.body.data, body.n, node);
  }

  async #createBatch(): Promise<void> {
    const node = this.#anyNode();
    const documents = Array.from({ length: 2 + anyBelow(7) }, () => this.#newFields());
    const answer = await send(this.#world, 'batch create', {
      node,
      method: 'POST',
      at: '/batch',
      body: { documents },
      expected: [201],
    });
    if (answer) documents.forEach(({ n }, index) => this.#noteCreated(answer.body.data[index], n, node));
  }

  async #patch(): Promise<void> {
    const entry = this.#pick();
    if (!entry) return;
    const change = this.#planChange(entry);
    await this.#change('patch', entry, { method: 'PATCH', body: change.body });
  }

  async #put(): Promise<void> {
    const entry = this.#pick();
    if (!entry) return;
    const counter = anyBelow(1000);
    const rev = this.#world.ledger.changing(entry, counter);
    const body = { ...firstFields(entry.n, entry.writer), rev, counter };
    await this.#change('put', entry, { method: 'PUT', body });
  }

  /** A change that rests on what the document was: one that is lost shows in all later ones. */
  #planChange(entry: Entry) {
    const by = 1 + anyBelow(5);
    const rev = this.#world.ledger.changing(entry, entry.revisions.at(-1)!.counter + by);
    return { rev, body: { rev, $increment: { counter: by } } };
  }

  async #change(what: string, entry: Entry, sent: { method: string; body: object }): Promise<void> {
    const node = this.#anyNode();
    const answer = await send(this.#world, what, { node, at: `/${entry.id}`, ...sent, expected: [200] });
    if (!answer) return;
    const { ledger } = this.#world;
    ledger.changed(entry, node);
    ledger.check(answer.body.data, ledger.moment(), what);
    // One version for each write: none was done twice.
    if (answer.etag !== `"${entry.revisions.length}"`)
      ledger.problem(
        `${what}: ${entry.id} has version ${answer.etag} after ${entry.revisions.length - 1} changes`,
      );
  }

  async #patchBatch(): Promise<void> {
    const entries = this.#pickSome(12);
    if (entries.length === 0) return;
    const node = this.#anyNode();
    const updates = entries.map((entry) => ({ id: entry.id, ...this.#planChange(entry).body }));
    const answer = await send(this.#world, 'batch update', {
      node,
      method: 'POST',
      at: '/batch-update',
      body: { updates },
      expected: [200],
    });
    if (!answer) return;
    const { ledger } = this.#world;
    for (const entry of entries) ledger.changed(entry, node);
    for (const record of answer.body.data) ledger.check(record, ledger.moment(), 'batch update');
  }

  async #delete(): Promise<void> {
    const entry = this.#pick();
    if (!entry) return;
    this.#world.ledger.deleting(entry);
    const answer = await send(this.#world, 'delete', {
      node: this.#anyNode(),
      method: 'DELETE',
      at: `/${entry.id}`,
      expected: [200],
    });
    if (answer) this.#world.ledger.deleted(entry);
  }

  async #deleteBatch(): Promise<void> {
    const entries = this.#pickSome(5);
    if (entries.length === 0) return;
    const { ledger } = this.#world;
    for (const entry of entries) ledger.deleting(entry);
    const answer = await send(this.#world, 'batch delete', {
      node: this.#anyNode(),
      method: 'POST',
      at: '/batch-delete',
      body: { ids: entries.map(({ id }) => id) },
      expected: [200],
    });
    if (!answer) return;
    for (const entry of entries) ledger.deleted(entry);
    if (answer.body.data.deleted !== entries.length)
      ledger.problem(`a batch delete missed ${answer.body.data.missing.join()}`);
  }
}
