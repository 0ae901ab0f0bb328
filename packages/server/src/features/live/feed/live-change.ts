import type { Path } from '@plinth/protocol';
import { parseJsonText } from '../../../platform/json.ts';
import {
  asksFor,
  type DocumentChange,
  type DocumentImage,
  type Fields,
  type MatchedRecord,
  matched,
  matches,
  type StoredDocument,
} from '../../data/index.ts';
import type { LiveQuery } from './live-query.ts';

/** What a change is to a query. */
export type EventKind = 'created' | 'updated' | 'deleted';

/** A changed document. Its JSON is parsed when somebody asks for it, once for all who do. */
export class LiveChange {
  readonly change: DocumentChange;
  #loaded: Promise<StoredDocument | undefined> | undefined;
  #read: { before: MatchedRecord | undefined; after: MatchedRecord | undefined } | undefined;

  constructor(change: DocumentChange) {
    this.change = change;
  }

  /** The document before and after the change, where it existed. */
  get records(): MatchedRecord[] {
    return Object.values(this.#records).filter((record) => record !== undefined);
  }

  /** Where the values of a large document were left out, before or after the change. */
  get omitted(): readonly Path[] {
    const { before, after } = this.change;
    return [...(before?.omitted ?? []), ...(after?.omitted ?? [])];
  }

  /** Undefined: the change does not concern the query. 'unknown': it asks for what was left out. */
  kindFor({ filter }: LiveQuery): EventKind | 'unknown' | undefined {
    if (asksFor(filter, this.omitted)) return 'unknown';
    const { before, after } = this.#records;
    const did = before !== undefined && matches(filter, before);
    const does = after !== undefined && matches(filter, after);
    if (does) return did ? 'updated' : 'created';
    return did ? 'deleted' : undefined;
  }

  /** The whole document after the change; undefined if it has changed since, which is a change of its own. */
  async document(
    load: (wanted: { id: string; version: number }) => Promise<StoredDocument | undefined>,
  ): Promise<StoredDocument | undefined> {
    const { id, after } = this.change;
    if (!after) return undefined;
    if (after.omitted.length === 0) return { id, ...after };
    this.#loaded ??= load({ id, version: after.version });
    const found = await this.#loaded;
    return found?.updatedAt === after.updatedAt ? found : undefined;
  }

  get #records() {
    const { id, before, after } = this.change;
    this.#read ??= { before: before && recordOf(id, before), after: after && recordOf(id, after) };
    return this.#read;
  }
}

function recordOf(id: string, { updatedAt, data }: DocumentImage): MatchedRecord {
  // The database keeps nothing but objects as documents.
  return matched({ id, updatedAt, data: parseJsonText(data) as Fields });
}

/** With the time: a document that was deleted and created again under its id begins to count anew. */
export function versionName(document: { id: string; version: number; updatedAt: number }): string {
  const { id, version, updatedAt } = document;
  return `${id} ${version} ${updatedAt}`;
}

/** The part of a message that is the same for all subscribers to the query. */
export function eventText({ collection }: LiveQuery, kind: EventKind, document: string): string {
  return `"collection":${JSON.stringify(collection.name)},"event":"${kind}","document":${document}`;
}
