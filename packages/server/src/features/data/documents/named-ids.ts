import { isUniqueViolation } from '../../../platform/db/failures.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { collectionOfId, isId, timeOfId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { atIndex } from './batch.ts';
import { idNotPossible, idTaken } from './errors.ts';
import { findIds } from './store.ts';

/** Clocks differ: so far ahead an id may be. */
const aheadMs = 60_000;

/**
 * The id that a new document names, if it is one of this collection: clients make them where they have no connection.
 * Anything else is ignored, as `createdAt` is: whoever copies a document from elsewhere sends its id along.
 */
export function namedId(collection: Collection, id: unknown): string | undefined {
  if (typeof id !== 'string' || !isId(id) || collectionOfId(id) !== collection.number) return undefined;
  if (timeOfId(id) > Date.now() + aheadMs) throw idNotPossible(id);
  return id;
}

interface Named {
  readonly document: { readonly id: string };
  readonly isNamed: boolean;
}

/** Writes new documents, unless one names an id that there is already. Inside a transaction. */
export async function refuseTaken<Result>(
  db: ProjectDb,
  collection: Collection,
  created: readonly Named[],
  write: () => Promise<Result>,
): Promise<Result> {
  const named = created.flatMap(({ document, isNamed }) => (isNamed ? [document.id] : []));
  const refuse = async (taken: string): Promise<never> => {
    const throwTaken = () => Promise.reject(idTaken(taken));
    const index = created.findLastIndex(({ document }) => document.id === taken);
    return created.length === 1 ? throwTaken() : atIndex(index, throwTaken);
  };
  const twice = named.find((id, at) => named.indexOf(id) !== at);
  if (twice !== undefined) return refuse(twice);
  // A collection that moves has two tables, and each knows its own ids alone.
  const [taken] = named.length === 0 ? [] : await findIds(db, collection, named);
  if (taken !== undefined) return refuse(taken);
  try {
    return await write();
  } catch (error) {
    // Somebody else has just created it.
    if (named[0] !== undefined && isUniqueViolation(error)) return refuse(named[0]);
    throw error;
  }
}
