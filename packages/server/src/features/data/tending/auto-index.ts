import { randomUUID } from 'node:crypto';
import type { Path } from '@plinth/protocol';
import {
  type Collection,
  countDocuments,
  namesOf,
  notifyChanged,
  readIndexField,
} from '../collections/index.ts';
import { countIndexes, insertIndex } from '../indexes/index.ts';
import { keyPaths, ownTableFrom } from '../placement/index.ts';
import {
  enoughCalls,
  isAutoIndexed,
  listShapes,
  medianOf,
  quickMs,
  type StoredShape,
  suggest,
  type Wanted,
} from '../query-shapes/index.ts';
import type { Builder } from './deps.ts';
import { describeCommonValues } from './describe-common-values.ts';

/** Indexes that the service creates automatically for one collection. @limit - */
const maxAutomatic = 10;
const looked = 50;

interface Reasoned extends Wanted {
  readonly reason: string;
}

/** What the service would make for a collection by itself, because its queries are slow. */
export async function wantedFor({ db, limits }: Builder, collection: Collection): Promise<Reasoned[]> {
  if (!isAutoIndexed(collection) || (await countDocuments(db, collection.number)) < ownTableFrom) return [];
  const known = collection.indexes.filter(({ isAutomatic }) => isAutomatic).length;
  const shapes = await listShapes(db, collection.number, looked);
  const wanted = shapes.flatMap((stored) => {
    const median = medianOf(stored.durations) ?? 0;
    if (stored.calls < enoughCalls || median <= quickMs) return [];
    return suggest(stored.shape, collection).map((one) => ({
      ...one,
      reason: reasonOf(one, stored, median),
    }));
  });
  const once = new Map(wanted.toReversed().map((one) => [`${one.kind} ${one.fields.join()}`, one]));
  const room = limits.indexes === null ? maxAutomatic : limits.indexes - (await countIndexes(db));
  return [...once.values()].toReversed().slice(0, Math.max(0, Math.min(maxAutomatic - known, room)));
}

/** The paths whose keys such indexes have. */
export function keysOf(wanted: readonly Wanted[]): Path[] {
  return keyPaths(
    wanted.map(({ kind, fields }) => ({ kind, state: 'building', fields: fields.map(readIndexField) })),
  );
}

function reasonOf({ why }: Wanted, { calls, documents }: StoredShape, median: number): string {
  return `${why} ${calls.toLocaleString('en')} requests on ${documents.toLocaleString('en')} documents, with a median of ${Math.round(median).toLocaleString('en')} ms.`;
}

/** Records what is to be made for a collection that has its own table; where all values are frequent, only statistics. */
export async function recordAutomatic(
  { db, connection }: Builder,
  collection: Collection,
  wanted: readonly Reasoned[],
): Promise<void> {
  for (const { kind, fields, onlyIfRare, reason } of wanted) {
    const common =
      onlyIfRare && (await describeCommonValues(connection, collection, readIndexField(fields[0])));
    await db.transaction(async (db) => {
      await insertIndex(db, collection.number, {
        id: randomUUID(),
        kind: common ? 'statistics' : kind,
        fields,
        state: 'building',
        isAutomatic: true,
        reason: common ? `${reason} ${common}` : reason,
      });
      await notifyChanged(db, namesOf(collection));
    });
  }
}
