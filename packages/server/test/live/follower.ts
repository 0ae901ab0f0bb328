import type { ServerMessage } from '@plinth/protocol';
import type { LiveClient } from '../support/live-client.ts';

type Document = Readonly<Record<string, unknown>> & { readonly id: string };

/** What an app would have on its screen: the documents that match, from a snapshot and what came after it. */
export class Follower {
  readonly filter: string;
  /** Why it is not told anything (any more). */
  refusal: string | undefined;
  readonly #client: LiveClient;
  readonly #collection: string;
  readonly #documents = new Map<string, Document>();
  #id: string;
  #isWhole = false;
  static #count = 0;

  constructor(client: LiveClient, collection: string, filter: string) {
    this.#client = client;
    this.#collection = collection;
    this.filter = filter;
    this.#id = '';
    client.socket.setMaxListeners(0);
    client.socket.on('message', (data) =>
      this.#hear(JSON.parse((data as Buffer).toString()) as ServerMessage),
    );
    this.#subscribe();
  }

  /** Ordered by id; undefined before the first snapshot is whole. */
  get documents(): Document[] | undefined {
    if (!this.#isWhole) return undefined;
    return [...this.#documents.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  #subscribe(): void {
    Follower.#count += 1;
    this.#id = `f${Follower.#count}`;
    this.#isWhole = false;
    this.#documents.clear();
    const { filter } = this;
    this.#client.send({
      type: 'subscribe',
      id: this.#id,
      collection: this.#collection,
      filter,
      snapshot: true,
    });
  }

  #hear(message: ServerMessage): void {
    if (!('id' in message) || message.id !== this.#id) return;
    if (message.type === 'snapshot') {
      for (const document of message.documents as Document[]) this.#documents.set(document.id, document);
      this.#isWhole = message.more !== true;
    } else if (message.type === 'event') {
      if (message.event === 'deleted') this.#documents.delete(message.document.id);
      else this.#documents.set(message.document.id, message.document);
    } else if (message.type === 'resync') {
      this.#client.send({ type: 'unsubscribe', id: this.#id });
      this.#subscribe();
    } else if (message.type === 'error') {
      this.refusal = message.code;
    }
  }
}
