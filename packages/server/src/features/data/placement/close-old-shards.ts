import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { closeShard, listOldShards } from '../collections/index.ts';
import { patientTransaction } from './patient-transaction.ts';

/** When this returns, every create that was made in an earlier epoch of the collection has succeeded or failed. */
export async function closeOldShards(db: ProjectDb, number: number, signal: AbortSignal): Promise<void> {
  for (const shard of await listOldShards(db, number))
    await patientTransaction(db, signal, (db) => closeShard(db, number, shard));
}
