import { type RequestContext, requireScope } from '../../../calls/index.ts';
import {
  type CheckedFilter,
  type Collection,
  type CollectionDirectory,
  hasLinks,
  present,
  QueryCost,
  type ReadingScopes,
  readFilter,
  requireOpen,
  type StoredDocument,
} from '../../data/index.ts';
import { notLive } from '../errors.ts';
import type { CursorSeals } from './feed-cursor.ts';

/** What is subscribed to: the documents of a collection that pass a filter and that the subscriber may read. */
export interface LiveQuery {
  readonly context: RequestContext;
  readonly collection: Collection;
  readonly filter: CheckedFilter;
  /** What the rule for reading refers to, where the subscriber is under it. */
  readonly references: readonly string[];
  /** The same for all who see the same. */
  readonly key: string;
}

/** What was missed, the cursor is not known any more, or the rules have changed. */
type ResyncReason = 'gap' | 'cursor' | 'rules';

export interface LiveQueryDeps {
  readonly collections: CollectionDirectory;
  readonly scopes: ReadingScopes;
  readonly seals: CursorSeals;
  readonly loadLinked: Parameters<typeof present>[0]['loadLinked'];
  /** A subscriber was told to read again. */
  readonly onResync?: (reason: ResyncReason) => void;
}

/** Checks what is asked for, by the same rules and filters as a list. */
export async function openQuery(
  { collections, scopes }: LiveQueryDeps,
  context: RequestContext,
  { collection: name, filter: text }: { collection: string; filter: string },
): Promise<LiveQuery> {
  // Before it is looked for: a key with scopes does not learn which collections there are.
  requireScope(context.principal, { area: 'documents', action: 'read', collection: name });
  const collection = await collections.get(context, name);
  requireOpen(context, collection, 'read');
  const cost = new QueryCost();
  const asked = await readFilter(text, await scopes.documents(context, collection, { cost }));
  const readable = await scopes.readable(context, collection, cost);
  if (hasLinks(asked)) throw notLive('The filter follows a link.');
  if (hasLinks(readable)) throw notLive('The read rule of these documents follows a link.');
  const { isTrusted } = context.principal;
  const references = isTrusted ? [] : scopes.referencesToRead(collection);
  if (references.includes('@now')) throw notLive('The read rule of these documents compares with @now.');
  const filter: CheckedFilter = { kind: 'and', of: [readable, asked] };
  const hidden = isTrusted ? [] : collection.settings.hiddenFields;
  return { context, collection, filter, references, key: JSON.stringify([collection.name, hidden, filter]) };
}

/** Does what the subscriber may see depend on its own record? */
export function dependsOnUser({ references }: LiveQuery): boolean {
  return references.some((reference) => reference.startsWith('@user'));
}

/** Documents as subscribers to the query see them, exactly as over REST. */
export async function renderAll(
  deps: LiveQueryDeps,
  { context, collection }: LiveQuery,
  documents: readonly StoredDocument[],
): Promise<string[]> {
  return present(deps, context, collection, documents);
}
