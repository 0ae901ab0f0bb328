import type { CollectionShape } from '@plinth/protocol';
import type { CallOptions, Http } from '../http.ts';

/** A collection with its settings. */
export interface CollectionRecord {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  readonly settings: CollectionSettings;
  readonly documentCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Who can do what, and which fields are hidden: see the documentation of rules. */
export interface CollectionSettings {
  readonly rules?: Readonly<Partial<Record<'read' | 'create' | 'update' | 'delete', string>>>;
  readonly ownerField?: string | null;
  readonly hiddenFields?: readonly string[];
  readonly fieldRules?: Readonly<Record<string, Readonly<Partial<Record<'create' | 'update', string>>>>>;
  readonly autoIndex?: boolean;
  /** A JSON Schema that every write must match. */
  readonly schema?: Readonly<Record<string, unknown>> | null;
}

export interface CollectionChanges {
  readonly name?: string;
  readonly settings?: CollectionSettings;
}

const root = '/collections';

/** The collections of a project, for its server. */
export class Collections {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Lists all collections. */
  async list(options: CallOptions = {}): Promise<CollectionRecord[]> {
    const all: CollectionRecord[] = [];
    for (let hasMore = true; hasMore; ) {
      const query = `limit=1000&offset=${all.length}`;
      const page = await this.#http.call<CollectionRecord[]>({
        ...options,
        method: 'GET',
        path: root,
        query,
      });
      all.push(...page.data);
      hasMore = (page.hasMore ?? false) && page.data.length > 0;
    }
    return all;
  }

  create(
    collection: CollectionChanges & { readonly name: string },
    options: CallOptions = {},
  ): Promise<CollectionRecord> {
    return this.#send('POST', '', collection, options);
  }

  update(name: string, changes: CollectionChanges, options: CallOptions = {}): Promise<CollectionRecord> {
    return this.#send('PATCH', placeOf(name), changes, options);
  }

  /** Deletes a collection with all of its documents. */
  async delete(name: string, options: CallOptions = {}): Promise<void> {
    await this.#send('DELETE', placeOf(name), undefined, options);
  }

  /** Describes the fields of its documents, based on a sample. */
  async shape(name: string, options: CallOptions = {}): Promise<CollectionShape> {
    return this.#send('GET', `${placeOf(name)}/shape`, undefined, options);
  }

  async #send<Data>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    options: CallOptions,
  ): Promise<Data> {
    return (await this.#http.call<Data>({ ...options, method, path: root + path, body })).data;
  }
}

function placeOf(name: string): string {
  if (!name) throw new TypeError('The name of the collection is missing.');
  return `/${encodeURIComponent(name)}`;
}
