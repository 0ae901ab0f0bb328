import { type Door, methods, type QueuedWish } from './door.ts';
import { isPlinthError } from './errors.ts';
import type { Call, CallOptions } from './http.ts';
import type { Live, LiveDocumentState } from './live/live-state.ts';
import type { Changes, CollectionName, Doc, Id, NewDoc, ProjectTypes } from './project-types.ts';
import { Query } from './query.ts';
import { everything } from './query-text.ts';

export interface WriteOptions extends CallOptions {
  /** Only write if the document still has this version: see `getWithVersion`. */
  readonly ifMatch?: string;
  /** With an outbox: false sends the write now, or fails. */
  readonly isQueued?: boolean;
}

/** The number of ids per request. */
const mostIds = 100;

/** The documents of a collection. */
export class Collection<P extends ProjectTypes, C extends CollectionName<P>> extends Query<
  P,
  Doc<P, C>,
  Doc<P, C>
> {
  constructor(door: Door, name: C) {
    super(door, name, everything);
  }

  /** Returns the document, or throws `document_not_found`. */
  async get(id: Id<C>, options: CallOptions = {}): Promise<Doc<P, C>> {
    return (await this.getWithVersion(id, options)).document;
  }

  /** Returns the document, or undefined if it does not exist or the caller is not allowed to read it. */
  async find(id: Id<C>, options: CallOptions = {}): Promise<Doc<P, C> | undefined> {
    try {
      return await this.get(id, options);
    } catch (error) {
      if (isPlinthError(error, 'document_not_found')) return undefined;
      throw error;
    }
  }

  /** Returns the document and its version, for a change that must not overwrite another: `{ ifMatch: version }`. */
  async getWithVersion(
    id: Id<C>,
    options: CallOptions = {},
  ): Promise<{ document: Doc<P, C>; version: string }> {
    const { data, headers } = await this.#call<Doc<P, C>>('GET', placeOf(id), undefined, options);
    return { document: data, version: (headers.get('ETag') ?? '').replace(/"/g, '') };
  }

  /** Returns those of the documents that exist, in this order, with as many requests as needed. */
  async getMany(ids: readonly Id<C>[], options: CallOptions = {}): Promise<Doc<P, C>[]> {
    const found = new Map<string, Doc<P, C>>();
    for (let at = 0; at < ids.length; at += mostIds) {
      const some = new Query<P, Doc<P, C>, Doc<P, C>>(this.door, this.collection, {
        ...everything,
        filters: [`id__in=${ids.slice(at, at + mostIds).join(',')}`],
      });
      for await (const document of some.each(options)) found.set(document.id, document);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** The current state of a document, updated live. */
  liveDocument(id: Id<C>): Live<LiveDocumentState<Doc<P, C>>> {
    placeOf(id);
    return this.door.live.document(this.collection, {
      ...everything,
      filters: [`id=${encodeURIComponent(id)}`],
    });
  }

  /** Creates a document. Files among its fields are uploaded with it, and replaced by their URLs. */
  create(document: NewDoc<P['collections'][C]>, options: WriteOptions = {}): Promise<Doc<P, C>> {
    return this.#write('create', undefined, document, options);
  }

  /** Creates up to 1,000 documents, all or none. */
  createMany(
    documents: readonly NewDoc<P['collections'][C]>[],
    options: CallOptions = {},
  ): Promise<Doc<P, C>[]> {
    return this.#send('POST', '/batch', { documents }, options);
  }

  /** Changes some fields: `update(id, { title: 'New', $increment: { views: 1 } })`. */
  update(id: Id<C>, changes: Changes<P['collections'][C]>, options: WriteOptions = {}): Promise<Doc<P, C>> {
    // Fields that are set again are set; an operator would count twice.
    const isRepeatable = !Object.keys(changes).some((name) => name.startsWith('$'));
    return this.#write('update', id, changes, options, isRepeatable);
  }

  /** Changes up to 1,000 documents, all or none. */
  updateMany(
    updates: readonly ({ readonly id: Id<C> } & Changes<P['collections'][C]>)[],
    options: CallOptions = {},
  ): Promise<Doc<P, C>[]> {
    return this.#send('POST', '/batch-update', { updates }, options);
  }

  /** Replaces all fields. */
  replace(id: Id<C>, document: NewDoc<P['collections'][C]>, options: WriteOptions = {}): Promise<Doc<P, C>> {
    return this.#write('replace', id, document, options, true);
  }

  async delete(id: Id<C>, options: WriteOptions = {}): Promise<void> {
    await this.#write('delete', id, undefined, options);
  }

  /** Deletes up to 1,000 documents; ids that did not exist are in `missing`. */
  deleteMany(
    ids: readonly Id<C>[],
    options: CallOptions = {},
  ): Promise<{ deleted: number; ids: string[]; missing: string[] }> {
    return this.#send('POST', '/batch-delete', { ids }, options);
  }

  /** Stored on the device if the client has an outbox, otherwise sent. */
  async #write<Data>(
    action: keyof typeof methods,
    id: string | undefined,
    body: object | undefined,
    { isQueued = true, ...options }: WriteOptions,
    isRepeatable = false,
  ): Promise<Data> {
    const path = action === 'create' ? '' : placeOf(id);
    const { queue } = this.door;
    const wish = { collection: this.collection, action, id, body, ifMatch: options.ifMatch } as QueuedWish;
    const kept = isQueued ? await queue?.(wish) : undefined;
    return (kept as Data | undefined) ?? this.#send(methods[action], path, body, options, isRepeatable);
  }

  async #send<Data>(
    method: Call['method'],
    path: string,
    body: unknown,
    options: WriteOptions,
    isRepeatable = false,
  ): Promise<Data> {
    const { ifMatch, headers, ...others } = options;
    const isFree = ifMatch === undefined;
    const { data } = await this.#call<Data>(method, path, body, {
      ...others,
      headers: { ...(!isFree && { 'If-Match': `"${ifMatch}"` }), ...headers },
      // The version is another one once it is done.
      isRepeatable: isRepeatable && isFree,
    });
    return data;
  }

  #call<Data>(
    method: Call['method'],
    path: string,
    body: unknown,
    options: CallOptions & Pick<Call, 'isRepeatable'>,
  ) {
    const at = `/collections/${encodeURIComponent(this.collection)}${path}`;
    return this.door.http.call<Data>({ ...options, method, path: at, body });
  }
}

function placeOf(id: string | undefined): string {
  // An empty id would be the whole collection.
  if (typeof id !== 'string' || id === '') throw new TypeError('The id is missing.');
  return `/${encodeURIComponent(id)}`;
}
