import { raw, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection, PlacementEpoch } from '../collections/index.ts';

/** Where the documents of a collection are, for every statement that reads or writes them. */
export interface DocumentTable {
  /**
   * Every table that may hold a document of the collection; at any moment a document is in one of them. A statement that
   * reads them in this order finds a document that leaves the first meanwhile in the second.
   */
  readonly tables: readonly [Sql, ...Sql[]];
  /** Where new documents go. */
  readonly inserted: Sql;
  /** A condition of every statement that must find all documents: it fails if the collection has moved meanwhile. */
  readonly isComplete: Sql;
  /** The name of a prepared statement; one that names a table of its own is not worth keeping on each connection. */
  readonly named: (statement: string) => string | undefined;
}

type Home = Pick<Collection, 'home'>;

const shared = sql`cell.documents`;

/** The name of the table that a collection has, or will have, of its own. */
export function ownTable({ projectId, number }: Pick<Collection, 'projectId' | 'number'>): Sql {
  return raw(`own.documents_${BigInt(projectId)}_${Math.trunc(number)}`);
}

export function tableOf(collection: Collection): DocumentTable {
  if (isInSharedTable(collection)) {
    return {
      tables: [shared],
      inserted: shared,
      isComplete: isInEpoch([collection]),
      named: (statement) => statement,
    };
  }
  const own = ownTable(collection);
  return {
    tables: isMoving(collection) ? [shared, own] : [own],
    inserted: own,
    // Nothing goes elsewhere any more.
    isComplete: sql`true`,
    named: () => undefined,
  };
}

/** Are all documents in the table that collections share? */
export function isInSharedTable({ home }: Home): boolean {
  return home === 'shared';
}

/** May documents be in either table? */
export function isMoving({ home }: Home): boolean {
  return home === 'moving';
}

/** Are all documents in a table of the collection's own? */
export function isInOwnTable({ home }: Home): boolean {
  return home === 'own';
}

/** The epoch that a statement for this collection is made for. */
export function epochOf({ epoch }: Pick<Collection, 'epoch'>): PlacementEpoch {
  return epoch;
}

/** A condition that fails the statement unless the collections, all of one project, are in the epochs it was made for. */
export function isInEpoch(collections: readonly [Collection, ...Collection[]]): Sql {
  const [{ projectId }] = collections;
  return sql`cell.require_epochs(${projectId}::bigint, ${collections.map(({ number }) => number)}::int[],
    ${collections.map(epochOf)}::int[])`;
}
