import type { RequestContext } from '../../../calls/index.ts';
import {
  type Collection,
  type CollectionIndex,
  countDocuments,
  formatIndexField,
} from '../collections/index.ts';
import { ownTableFrom } from '../placement/index.ts';
import { medianOf, quickMs } from './durations.ts';
import type { Shape, ShapeCondition } from './shape.ts';
import { listShapes, type StoredShape } from './shape-store.ts';
import { helpersOf, suggest, type Wanted } from './suggest.ts';

const mostShapes = 100;

/** What the service has seen of the queries of a collection, and what it thinks would help them. */
export async function listAdvice({ db }: Pick<RequestContext, 'db'>, collection: Collection) {
  const shapes = await listShapes(db, collection.number, mostShapes);
  const documents = await countDocuments(db, collection.number);
  const autoIndex = isAutoIndexed(collection);
  return {
    autoIndex,
    documents,
    shapes: shapes.map((stored) => adviceOn(stored, collection, { autoIndex, documents })),
  };
}

/** May the service make indexes for the collection by itself? */
export function isAutoIndexed({ settings }: Pick<Collection, 'settings'>): boolean {
  return settings.autoIndex !== false;
}

interface Circumstances {
  readonly autoIndex: boolean;
  readonly documents: number;
}

function adviceOn(stored: StoredShape, collection: Collection, circumstances: Circumstances) {
  const { shape, calls, documents, seenAt } = stored;
  const median = medianOf(stored.durations);
  const isQuick = median === null || median <= quickMs;
  const [wanted] = isQuick ? [] : suggest(shape, collection);
  const helpers = helpersOf(shape, collection.indexes);
  const index = helpers.find(({ state }) => state === 'building') ?? helpers[0];
  return {
    filter: shape.conditions.map(describe),
    sort: shape.sort,
    calls,
    p50Ms: median === null ? null : Math.round(median * 10) / 10,
    documents,
    seenAt,
    suggestion: wanted ? { kind: wanted.kind, fields: wanted.fields } : null,
    // An index that waits for the collection to grow is shown as ready, as in the list of indexes.
    index: index
      ? { id: index.id, kind: index.kind, state: index.state === 'recorded' ? 'ready' : index.state }
      : null,
    explanation: wanted
      ? explainWanted(wanted, collection, circumstances)
      : (explainIndex(index, shape, isQuick) ?? explainNothing(shape, isQuick)),
  };
}

const meanings: Record<ShapeCondition['use'], string> = {
  key: '',
  text: ' (text)',
  link: ' (link)',
  none: ' (no index helps)',
};

function describe({ field, use }: ShapeCondition): string {
  return `${field}${meanings[use]}`;
}

function explainWanted(
  { kind, fields, why, onlyIfRare }: Wanted,
  { name }: Collection,
  { autoIndex, documents }: Circumstances,
): string {
  const help = `${why} A ${kind} index on ${fields.join(', ')} would help${onlyIfRare ? ', if few documents have the values in question' : ''}.`;
  const ask = `POST /collections/${name}/indexes creates it`;
  if (!autoIndex)
    return `${help} The service does not create it automatically here (settings.autoIndex): ${ask}.`;
  if (documents < ownTableFrom)
    return `${help} The service creates it automatically from ${ownTableFrom.toLocaleString('en')} documents on; ${ask} now.`;
  return `${help} The service creates it automatically if such queries continue; ${ask} now.`;
}

function explainIndex(
  index: CollectionIndex | undefined,
  shape: Shape,
  isQuick: boolean,
): string | undefined {
  if (!index) return undefined;
  const names = index.fields.map(formatIndexField).join(', ');
  const what = index.kind === 'statistics' ? `statistics on ${names}` : `the ${index.kind} index on ${names}`;
  switch (index.state) {
    case 'building':
      return `It will be served by ${what}, which is being built.`;
    case 'failed':
      return `It would be served by ${what}, which could not be built: see GET …/indexes for the reason.`;
    case 'recorded':
      return `It will be served by ${what}, which will be built once the collection has grown.`;
    case 'ready':
    case 'dropping':
      if (isQuick) return `It is served by ${what}.`;
      return shape.isDisjunctive
        ? `It is served by ${what}, but still slow: it matches alternatives.`
        : `It is served by ${what}, but still slow: it may match too many documents.`;
  }
}

function explainNothing(shape: Shape, isQuick: boolean): string {
  if (isQuick) return 'It is fast: nothing is needed.';
  if (shape.conditions.length === 0)
    return 'It is served by the order of ids; use cursor for pages far into the list.';
  return 'No index can help: add a condition for what should match, not only for what should not.';
}
