import type { CollectionShape } from '@plinth/protocol';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../../calls/index.ts';
import { KeyedMutex } from '../../../platform/concurrency/keyed-mutex.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { type Collection, type CollectionDirectory, countDocuments } from '../collections/index.ts';
import { sampleDocuments } from '../documents/index.ts';
import { listLinkRecords } from '../links/index.ts';
import { parseFields } from '../records/index.ts';
import { mostFields } from './describe-fields.ts';
import { type FieldRoom, SeenField } from './seen-field.ts';

/** Documents sampled for the shape of a collection. @limit - */
const sampleSize = 1000;
/** The size of these documents together. @limit - bytes */
const sampleBytes = 2 * 1_048_576;

/** Looking costs something, and what is seen hardly changes: it is remembered for a minute. */
const remembered = {
  ttl: 60_000,
  maxSize: 16 * 1_048_576,
  sizeCalculation: (text: string) => text.length,
};

/** Finds out what the documents of collections look like. */
export class CollectionShapes {
  readonly #directory: CollectionDirectory;
  /** As JSON. */
  readonly #shapes = new LRUCache<string, string>(remembered);
  readonly #looking = new KeyedMutex();

  constructor(directory: CollectionDirectory) {
    this.#directory = directory;
  }

  async read(context: RequestContext, nameOrId: string): Promise<string> {
    const collection = await this.#directory.get(context, nameOrId);
    const key = `${context.project.id}/${collection.number}`;
    return this.#looking.run(key, async () => {
      const known = this.#shapes.get(key);
      if (known !== undefined) return known;
      const text = JSON.stringify(await this.#look(context, collection));
      this.#shapes.set(key, text);
      return text;
    });
  }

  async #look(context: RequestContext, collection: Collection): Promise<CollectionShape> {
    const { db, project } = context;
    const all = await countDocuments(db, collection.number);
    const documents = await sampleDocuments(db, collection, {
      all,
      documents: sampleSize,
      bytes: sampleBytes,
    });
    const links = await this.#linksOf(context, collection);
    const room: FieldRoom = { left: mostFields, isFull: false };
    const seen = new SeenField(room);
    const yielder = new Yielder(project.id);
    for (const { data } of documents) {
      if (yielder.isRestDue) await yielder.rest();
      seen.add(parseFields(data));
    }
    return {
      sampled: documents.length,
      isComplete: documents.length >= all,
      fields: [...seen.describe((path) => links.get(path))],
      hasMore: room.isFull,
    };
  }

  /** By the path of the field, and by that of its elements. */
  async #linksOf(context: RequestContext, { number }: Collection): Promise<Map<string, string[]>> {
    const records = await listLinkRecords(this.#directory, context, number);
    return new Map(
      records.flatMap(({ field, collections, users }) => {
        const targets = [...collections, ...(users ? ['@user'] : [])];
        return [field, `${field}[]`].map((path): [string, string[]] => [path, targets]);
      }),
    );
  }
}
