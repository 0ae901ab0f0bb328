import { batchesOf } from './batches.ts';
import type { Row } from './columns.ts';
import type { Plan } from './plan-import.ts';
import type { Documents, Written } from './steps.ts';

/** What became of a plan. */
export interface CarriedOut {
  readonly made: readonly Row[];
  readonly written: readonly Written[];
}

/** Adds and changes documents, batch by batch. Nothing stays of what failed half-way. */
export async function carryOut(
  documents: Documents,
  { adds, updates }: Plan,
  onDone: (count: number) => void,
): Promise<CarriedOut> {
  const made: Row[] = [];
  const written: Written[] = [];
  const plans = new Map(updates.map((update) => [update.id, update]));
  try {
    for (const batch of batchesOf(adds)) {
      made.push(...((await documents.createMany(batch)) as Row[]));
      onDone(made.length);
    }
    for (const batch of batchesOf(updates.map(({ id, changes }) => ({ id, ...changes })))) {
      for (const { id, updatedAt } of (await documents.updateMany(batch)) as Row[]) {
        const { back = {}, from = '' } = plans.get(id) ?? {};
        written.push({ id, back, from, to: String(updatedAt) });
      }
      onDone(made.length + written.length);
    }
  } catch (error) {
    for (const batch of batchesOf(made.map(({ id }) => id))) await documents.deleteMany(batch);
    for (const batch of batchesOf(written.map(({ id, back }) => ({ id, ...back }))))
      await documents.updateMany(batch);
    throw error;
  }
  return { made, written };
}
