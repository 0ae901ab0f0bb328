import { setTimeout as sleep } from 'node:timers/promises';
import { type Asked, call, type Reply } from './call.ts';
import { Journal } from './journal.ts';

export interface LoadOptions {
  /** Where the nodes are now. A writer stays with its own, unless nobody is there. */
  readonly urls: () => readonly string[];
  readonly apiKey: string;
  readonly collection: string;
  readonly writers: number;
  readonly readers: number;
  readonly pauseMs: number;
}

const retryAfterMs = 200;

/** Writers and readers that go on through everything, and note what they were told. */
export class Load {
  readonly journal = new Journal();
  readonly #options: LoadOptions;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** A third raises counters, a third creates with a key and repeats what failed, a third creates and does not. */
  async start(): Promise<void> {
    const { writers, readers } = this.#options;
    const numbers = Array.from({ length: writers }, (_, writer) => writer);
    const counters = await Promise.all(
      numbers.filter((writer) => writer % 3 === 0).map((writer) => this.#newCounter(writer)),
    );
    this.#running = Promise.all([
      ...counters.map(({ writer, id }) => this.#raise(writer, id)),
      ...numbers
        .filter((writer) => writer % 3 > 0)
        .map((writer) => this.#create(writer, writer % 3 === 1 ? 'keyed' : 'once')),
      ...Array.from({ length: readers }, (_, reader) => this.#read(reader)),
    ]);
  }

  /** Resolves when the last call is answered, or given up. */
  async stop(): Promise<Journal> {
    this.#isOver = true;
    await this.#running;
    return this.journal;
  }

  async #newCounter(writer: number): Promise<{ writer: number; id: string }> {
    const { reply } = await this.#ask(writer, {
      method: 'POST',
      path: `/collections/${this.#options.collection}`,
      body: { name: `counter ${writer}`, count: 0 },
    });
    if (reply.status !== 201) throw new Error(`No counter could be made: ${reply.status} ${reply.code}`);
    const id = String(reply.document.id);
    this.journal.raised.set(id, { answered: 0, open: 0 });
    return { writer, id };
  }

  async #create(writer: number, how: 'keyed' | 'once'): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const name = `${writer}-${n}`;
      const asked: Asked = {
        method: 'POST',
        path: `/collections/${this.#options.collection}`,
        body: { name, text: 'x'.repeat(100) },
        ...(how === 'keyed' && { idempotencyKey: name }),
      };
      const done = how === 'keyed' ? await this.#insist(writer, asked) : await this.#try(writer, asked);
      if (done) this.journal.noteCreated(name, String(done.reply.document.id), done.node);
      await this.#pause();
    }
  }

  async #raise(writer: number, id: string): Promise<void> {
    const path = `/collections/${this.#options.collection}/${id}`;
    for (let n = 0; !this.#isOver; n += 1) {
      const body = { $increment: { count: 1 } };
      const done = await this.#insist(writer, {
        method: 'PATCH',
        path,
        body,
        idempotencyKey: `${writer}-${n}`,
      });
      if (done) this.journal.noteRaised(id, done.node);
      else this.journal.raised.get(id)!.open += 1;
      await this.#pause();
    }
  }

  /** Every other read is of what a writer was just told of. */
  async #read(reader: number): Promise<void> {
    const all = `/collections/${this.#options.collection}`;
    for (let n = 0; !this.#isOver; n += 1) {
      const { latest } = this.journal;
      const path = n % 2 === 0 || latest === undefined ? `${all}?limit=5` : `${all}/${latest}`;
      const { node, reply } = await this.#ask(reader, { method: 'GET', path });
      if (reply.status === 200) this.journal.noteRead(node);
      else if (reply.status === 404) this.journal.vanished.push(path);
      else this.journal.noteFailure(`read ${reply.status} ${reply.code}`);
      await this.#pause();
    }
  }

  /** Sends it until it is done; undefined if the run was over before. */
  async #insist(writer: number, asked: Asked): Promise<{ node: number; reply: Reply } | undefined> {
    for (;;) {
      const done = await this.#try(writer, asked);
      if (done || this.#isOver) return done;
      await sleep(retryAfterMs);
    }
  }

  async #try(writer: number, asked: Asked): Promise<{ node: number; reply: Reply } | undefined> {
    const { node, reply } = await this.#ask(writer, asked);
    if (reply.status === 200 || reply.status === 201) return { node, reply };
    this.journal.noteFailure(`write ${reply.status} ${reply.code}`);
    return undefined;
  }

  async #ask(who: number, asked: Asked): Promise<{ node: number; reply: Reply }> {
    const urls = this.#options.urls();
    const node = who % urls.length;
    return { node, reply: await call(urls[node]!, this.#options.apiKey, asked) };
  }

  #pause(): Promise<void> {
    return sleep(this.#options.pauseMs * (0.5 + Math.random()));
  }
}
