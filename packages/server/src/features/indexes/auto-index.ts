import { randomUUID } from 'node:crypto';
import {
  type Collection,
  countDocuments,
  namesOf,
  notifyChanged,
  readIndexField,
} from '../collections/index.ts';
import { isAutomatic } from './advice.ts';
import type { Builder } from './build-index.ts';
import { ownTableFrom } from './collection-index.ts';
import { enoughCalls, medianOf, quickMs } from './durations.ts';
import { hasOnlyCommonValues } from './sample.ts';
import { listShapes, type StoredShape } from './shape-store.ts';
import { insertIndex } from './store.ts';
import { suggest, type Wanted } from './suggest.ts';

/** Each makes every write of the collection dearer. */
const maxAutomatic = 10;
const looked = 50;

interface Reasoned extends Wanted {
  readonly reason: string;
}

/** What the service would make for a collection by itself, because its queries are slow. */
export async function wantedFor({ db }: Builder, collection: Collection): Promise<Reasoned[]> {
  if (!isAutomatic(collection) || (await countDocuments(db, collection.number)) < ownTableFrom) return [];
  const known = collection.indexes.filter(({ isAutomatic }) => isAutomatic).length;
  const shapes = await listShapes(db, collection.number, looked);
  const wanted = shapes
    .filter(({ durations, calls }) => calls >= enoughCalls && (medianOf(durations) ?? 0) > quickMs)
    .flatMap((stored) =>
      suggest(stored.shape, collection).map((one) => ({ ...one, reason: reasonOf(one, stored) })),
    );
  const once = new Map(wanted.toReversed().map((one) => [`${one.kind} ${one.fields.join()}`, one]));
  return [...once.values()].toReversed().slice(0, Math.max(0, maxAutomatic - known));
}

function reasonOf({ why }: Wanted, { calls, durations, documents }: StoredShape): string {
  const p50 = Math.round(medianOf(durations)!);
  return `${why} ${calls.toLocaleString('en')} calls on ${documents.toLocaleString('en')} documents, half of them over ${p50.toLocaleString('en')} ms.`;
}

/** Records what is to be made for a collection that has its own table; where all values are frequent, only statistics. */
export async function recordAutomatic(
  { db, connection }: Builder,
  collection: Collection,
  wanted: readonly Reasoned[],
): Promise<void> {
  for (const { kind, fields, onlyIfRare, reason } of wanted) {
    const common =
      onlyIfRare && (await hasOnlyCommonValues(connection, collection, readIndexField(fields[0]!)));
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
