import { parseJsonText } from '../../platform/json.ts';
import type { Collection, CollectionDirectory } from '../collections/index.ts';
import { type Fields, present, type StoredDocument } from '../documents/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { type CheckedFilter, hasLinks, type MatchedRecord, matches, readFilter } from '../query/index.ts';
import { matched, type ReadingScopes, requireOpen } from '../rules/index.ts';
import type { DocumentChange, DocumentImage } from './changes.ts';
import { notLive } from './errors.ts';

/** What a subscriber follows: the documents of a collection that pass its filter and that it may read. */
export interface LiveQuery {
  readonly context: RequestContext;
  readonly collection: Collection;
  readonly filter: CheckedFilter;
  /** The same for all who see the same. */
  readonly key: string;
}

export interface LiveQueryServices {
  readonly collections: CollectionDirectory;
  readonly scopes: ReadingScopes;
  readonly loadLinked: Parameters<typeof present>[0]['loadLinked'];
}

/** Checks what is asked for, by the same rules and filters as a list. */
export async function openQuery(
  { collections, scopes }: LiveQueryServices,
  context: RequestContext,
  { collection: name, filter: text }: { collection: string; filter: string },
): Promise<LiveQuery> {
  const collection = await collections.get(context, name);
  requireOpen(context, collection, 'read');
  const asked = await readFilter(text, await scopes.documents(context, collection));
  const readable = await scopes.readable(context, collection);
  if (hasLinks(asked)) throw notLive('The filter goes through a link.');
  if (hasLinks(readable)) throw notLive('The rule for reading these documents goes through a link.');
  const { isTrusted } = context.principal;
  if (!isTrusted && comparesWithNow(collection.settings.rules.read))
    throw notLive('The rule for reading these documents compares with @now.');
  const filter: CheckedFilter = { kind: 'and', of: [readable, asked] };
  const hidden = isTrusted ? [] : collection.settings.hiddenFields;
  return { context, collection, filter, key: JSON.stringify([collection.name, hidden, filter]) };
}

function comparesWithNow(rule: string): boolean {
  return /(?:=|,|%2C)@now(?:$|[&,%])/i.test(rule);
}

/** A changed document; what it says is read when somebody asks, and once for all who do. */
export class LiveChange {
  readonly change: DocumentChange;
  #read: { before: MatchedRecord | undefined; after: MatchedRecord | undefined } | undefined;

  constructor(change: DocumentChange) {
    this.change = change;
  }

  /** As it was before and as it is now, where it was and is. */
  get records(): MatchedRecord[] {
    return Object.values(this.#records).filter((record) => record !== undefined);
  }

  /** What the change is to those who follow the query; undefined: nothing. */
  kindFor({ filter }: LiveQuery): 'created' | 'updated' | 'deleted' | undefined {
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
  return matched({ id, updatedAt, data: parseJsonText(data) as Fields });
}

/** The change as the end of a message to those who follow the query. */
export async function eventText(
  services: LiveQueryServices,
  query: LiveQuery,
  { change: { id, after } }: LiveChange,
  kind: 'created' | 'updated' | 'deleted',
): Promise<string> {
  const [document] =
    kind === 'deleted' ? [`{"id":"${id}"}`] : await renderAll(services, query, [{ id, ...after! }]);
  return `"collection":${JSON.stringify(query.collection.name)},"event":"${kind}","document":${document}`;
}

/** Documents as this query's followers see them, exactly as over REST. */
export async function renderAll(
  services: LiveQueryServices,
  { context, collection }: LiveQuery,
  documents: readonly StoredDocument[],
): Promise<string[]> {
  return present(services, context, collection, documents);
}
