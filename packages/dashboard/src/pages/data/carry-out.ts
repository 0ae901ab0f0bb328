import { batchesOf } from './batches.ts';
import type { Plan } from './plan-import.ts';
import type { Writes } from './use-writes.ts';

type Documents = Writes['documents'];

/** Adds and changes documents, batch by batch; says which were added. Nothing stays of what failed half-way. */
export async function carryOut(
  documents: Documents,
  { adds, updates }: Plan,
  onDone: (count: number) => void,
): Promise<string[]> {
  const made: string[] = [];
  let changed = 0;
  try {
    for (const batch of batchesOf(adds)) {
      made.push(...(await documents.createMany(batch)).map(({ id }) => id));
      onDone(made.length);
    }
    for (const batch of batchesOf(updates.map(({ id, changes }) => ({ id, ...changes })))) {
      await documents.updateMany(batch);
      changed += batch.length;
      onDone(made.length + changed);
    }
  } catch (error) {
    await takeBack(documents, { adds, updates: updates.slice(0, changed) }, made);
    throw error;
  }
  return made;
}

export async function takeBack(
  documents: Documents,
  { updates }: Plan,
  made: readonly string[],
): Promise<void> {
  for (const batch of batchesOf(made)) await documents.deleteMany(batch);
  for (const batch of batchesOf(updates.map(({ id, back }) => ({ id, ...back }))))
    await documents.updateMany(batch);
}
