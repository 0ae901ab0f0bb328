import type { Collection, CollectionIndex } from '../collections/index.ts';
import { isInOwnTable, ownTableFrom } from '../placement/index.ts';

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

/** What PostgreSQL counts of an index that it keeps. */
export interface IndexFigures {
  readonly bytes: number;
  /** How often a query has used it, since the counting began. */
  readonly scans: number;
  /** When one last did; null: none did, or PostgreSQL is older than 16. */
  readonly usedAt: Date | null;
}

const noFigures = { bytes: null, scans: null, usedAt: null };

/** An index as the API shows it. */
export function indexRecord(
  row: IndexRow,
  collection: Collection,
  documents: number,
  figures: IndexFigures | typeof noFigures = noFigures,
) {
  const isWaiting = row.state === 'recorded';
  return {
    id: row.id,
    kind: row.kind,
    fields: row.fields,
    // An index that waits for the collection to grow counts as ready: until then reading all documents is quick.
    state: isWaiting ? 'ready' : row.state,
    progress:
      row.state === 'building' && row.total !== null
        ? { done: Number(row.done), total: Number(row.total) }
        : null,
    failure: row.failure,
    automatic: row.isAutomatic,
    reason: row.reason,
    note: isWaiting
      ? `It will be built when the collection has ${ownTableFrom.toLocaleString('en')} documents (now ${documents.toLocaleString('en')}): until then, scanning them all is fast.`
      : row.state === 'building' && !isInOwnTable(collection) && row.kind !== 'unique'
        ? 'The collection is first moved to its own table. Reads and writes continue.'
        : null,
    ...figures,
    createdAt: row.createdAt,
    readyAt: row.readyAt,
  };
}
