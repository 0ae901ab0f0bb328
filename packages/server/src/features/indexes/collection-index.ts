import type { Collection, CollectionIndex } from '../collections/index.ts';

/** From how many documents on a collection has a table of its own for its indexes. A smaller one is read quickly. */
export const ownTableFrom = 10_000;

/** What is stored of an index. */
export interface IndexRow {
  readonly id: string;
  readonly kind: CollectionIndex['kind'];
  readonly fields: readonly string[];
  readonly state: CollectionIndex['state'];
  readonly failure: string | null;
  readonly isAutomatic: boolean;
  readonly reason: string | null;
  readonly done: string | null;
  readonly total: string | null;
  readonly createdAt: Date;
  readonly readyAt: Date | null;
}

/** An index as the API shows it. */
export function indexRecord(row: IndexRow, { home }: Pick<Collection, 'home'>, documents: number) {
  const isWaiting = row.state === 'recorded';
  return {
    id: row.id,
    kind: row.kind,
    fields: row.fields,
    // What waits for the collection to grow is as good as there: all documents are read quickly until then.
    state: isWaiting ? 'ready' : row.state,
    progress:
      row.state === 'building' && row.total !== null
        ? { done: Number(row.done), total: Number(row.total) }
        : null,
    failure: row.failure,
    automatic: row.isAutomatic,
    reason: row.reason,
    note: isWaiting
      ? `Built when the collection has ${ownTableFrom.toLocaleString('en')} documents (now ${documents.toLocaleString('en')}): until then reading them all is quick.`
      : row.state === 'building' && home !== 'own' && row.kind !== 'unique'
        ? 'The collection moves to a table of its own first. Reads and writes go on.'
        : null,
    createdAt: row.createdAt,
    readyAt: row.readyAt,
  };
}
