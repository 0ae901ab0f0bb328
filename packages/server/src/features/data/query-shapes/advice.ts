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
  const help = `${why} A ${kind} index of ${fields.join(', ')} would help${onlyIfRare ? ', if few documents have the values asked for' : ''}.`;
  const ask = `POST /collections/${name}/indexes asks for it`;
  if (!autoIndex) return `${help} The service makes none by itself here (settings.autoIndex): ${ask}.`;
  if (documents < ownTableFrom)
    return `${help} The service makes one by itself from ${ownTableFrom.toLocaleString('en')} documents on; ${ask} now.`;
  return `${help} The service makes it by itself if such queries go on; ${ask} now.`;
}

function explainIndex(
  index: CollectionIndex | undefined,
  shape: Shape,
  isQuick: boolean,
): string | undefined {
  if (!index) return undefined;
  const names = index.fields.map(formatIndexField).join(', ');
  const what =
    index.kind === 'statistics' ? `what is known of ${names}` : `the ${index.kind} index of ${names}`;
  switch (index.state) {
    case 'building':
      return `It will be helped by ${what}, which is being made.`;
    case 'failed':
      return `It would be helped by ${what}, which could not be made: GET …/indexes says why.`;
    case 'recorded':
      return `It will be helped by ${what}, which is built when the collection has grown.`;
    case 'ready':
    case 'dropping':
      if (isQuick) return `It is helped by ${what}.`;
      return shape.isDisjunctive
        ? `It is helped by ${what}, and still slow: it asks for one of several things.`
        : `It is helped by ${what}, and still slow: it may match too many documents.`;
  }
}

function explainNothing(shape: Shape, isQuick: boolean): string {
  if (isQuick) return 'Quick as it is: nothing is needed.';
  if (shape.conditions.length === 0) return 'The order of ids serves it; far pages are quicker with cursor.';
  return 'No index helps it: add a condition that says what is wanted, not what is not.';
}
