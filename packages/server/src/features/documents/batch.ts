import { AppError } from '../../platform/errors.ts';
import { batchTooLarge } from './errors.ts';

const maxItems = 1000;

export function checkBatchSize(items: readonly unknown[]): void {
  if (items.length > maxItems) throw batchTooLarge(maxItems);
}

/** Does the work for one item of a batch; a failure says which item it was. */
export async function atIndex<Result>(index: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `Item ${index}: ${error.message}`, {
      details: { ...(error.details as object | undefined), index },
    });
  }
}
