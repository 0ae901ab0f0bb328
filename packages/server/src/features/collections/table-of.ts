import { raw, type Sql, sql } from '../../platform/db/sql.ts';
import type { Collection } from './collection.ts';

/** Where the documents of a collection are, for every statement that reads or writes them. */
export interface DocumentTable {
  /**
   * Every table that may hold a document that exists; at any moment a document is in one of them. A statement that reads
   * them in this order finds a document that leaves the first meanwhile in the second.
   */
  readonly tables: readonly Sql[];
  /** Where new documents go. */
  readonly inserted: Sql;
  /** A condition of every statement that must find all documents: it fails if the collection has moved meanwhile. */
  readonly isComplete: Sql;
  /** The name of a prepared statement; one that names a table of its own is not worth keeping on each connection. */
  readonly named: (statement: string) => string | undefined;
}

const shared = sql`cell.documents`;

/** The name of the table that a collection has, or will have, of its own. */
export function ownTable({ projectId, number }: Pick<Collection, 'projectId' | 'number'>): Sql {
  return raw(`own.documents_${BigInt(projectId)}_${Math.trunc(number)}`);
}

/** The only place that knows where a collection lives. */
export function tableOf(collection: Collection): DocumentTable {
  const { home } = collection;
  if (home === 'shared') {
    return {
      tables: [shared],
      inserted: shared,
      isComplete: isInEpoch([collection]),
      named: (statement) => statement,
    };
  }
  const own = ownTable(collection);
  return {
    tables: home === 'own' ? [own] : [shared, own],
    inserted: own,
    // Nothing goes elsewhere any more.
    isComplete: sql`true`,
    named: () => undefined,
  };
}

/** A condition that fails the statement unless collections are in the epoch that it was made for. */
export function isInEpoch(collections: readonly Collection[]): Sql {
  const [first] = collections;
  return sql`cell.require_epochs(${first!.projectId}::bigint, ${collections.map(({ number }) => number)}::int[],
    ${collections.map(({ epoch }) => epoch)}::int[])`;
}
