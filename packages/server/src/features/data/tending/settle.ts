import {
  type Collection,
  type CollectionIndex,
  lockCollection,
  namesOf,
  notifyChanged,
} from '../collections/index.ts';
import { listIndexes, updateIndex } from '../indexes/index.ts';
import { beginPlacementEpoch, patientTransaction } from '../placement/index.ts';
import { forgetDurations } from '../query-shapes/index.ts';
import type { Builder } from './deps.ts';

interface Outcome {
  readonly state: 'ready' | 'failed';
  readonly failure?: string;
}

/** Notes how building ended, unless the index was dropped meanwhile, and tells every node. */
export async function settle(
  { db, signal }: Builder,
  { number }: Collection,
  { id, kind }: CollectionIndex,
  outcome: Outcome,
): Promise<void> {
  await patientTransaction(db, signal, async (db) => {
    const collection = await lockCollection(db, number);
    // Read once the collection is held: its own list is from before the wait for it.
    const current = (await listIndexes(db, number)).find((index) => index.id === id);
    if (!collection || current?.state !== 'building') return;
    await updateIndex(db, number, id, { ...outcome, isStored: kind === 'sort' });
    if (outcome.state === 'ready') await forgetDurations(db, number);
    // Writers stop keeping its values.
    if (kind === 'unique' && outcome.state === 'failed') await beginPlacementEpoch(db, number);
    await notifyChanged(db, namesOf(collection));
  });
}
