import { parseJsonText } from '../../../platform/json.ts';
import {
  type DocumentChange,
  type DocumentImage,
  type Fields,
  type MatchedRecord,
  matched,
  matches,
} from '../../data/index.ts';
import { type LiveQuery, type LiveQueryDeps, renderAll } from './live-query.ts';

/** What a change is to a query. */
export type EventKind = 'created' | 'updated' | 'deleted';

/** A changed document. Its JSON is parsed when somebody asks for it, once for all who do. */
export class LiveChange {
  readonly change: DocumentChange;
  #read: { before: MatchedRecord | undefined; after: MatchedRecord | undefined } | undefined;

  constructor(change: DocumentChange) {
    this.change = change;
  }

  /** The document before and after the change, where it existed. */
  get records(): MatchedRecord[] {
    return Object.values(this.#records).filter((record) => record !== undefined);
  }

  /** Undefined: the change does not concern the query. */
  kindFor({ filter }: LiveQuery): EventKind | undefined {
    const { before, after } = this.#records;
    const did = before !== undefined && matches(filter, before);
    const does = after !== undefined && matches(filter, after);
    if (does) return did ? 'updated' : 'created';
    return did ? 'deleted' : undefined;
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

/** The document as subscribers to the query see it. */
export async function documentText(
  deps: LiveQueryDeps,
  query: LiveQuery,
  { change: { id, after } }: LiveChange,
  kind: EventKind,
): Promise<string> {
  const [text = ''] =
    kind === 'deleted' || !after ? [`{"id":"${id}"}`] : await renderAll(deps, query, [{ id, ...after }]);
  return text;
}

/** The part of a message that is the same for all subscribers to the query. */
export function eventText({ collection }: LiveQuery, kind: EventKind, document: string): string {
  return `"collection":${JSON.stringify(collection.name)},"event":"${kind}","document":${document}`;
}
