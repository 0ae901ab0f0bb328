import { type QuotaSources, sumKeptAnswers } from '../calls/index.ts';
import type { Holdings } from '../features/control/usage/index.ts';
import { countCollections, sumDocuments } from '../features/data/collections/index.ts';
import { countIndexes } from '../features/data/indexes/index.ts';
import { readUsage } from '../features/files/records/index.ts';
import { countMessagesToday } from '../features/people/messages/index.ts';
import { countUsers } from '../features/people/user-records/index.ts';
import type { ProjectDb } from '../platform/db/project-db.ts';

/** Where it is counted what projects have used. */
export const quotaSources: QuotaSources = {
  documents: async (db) => (await sumDocuments(db)).documents,
  documentBytes: async (db) => (await sumDocuments(db)).bytes,
  collections: countCollections,
  users: countUsers,
  indexes: countIndexes,
  idempotencyBytes: sumKeptAnswers,
  mailsPerDay: (db) => countMessagesToday(db, 'mail'),
  textsPerDay: (db) => countMessagesToday(db, 'text'),
};

/** What a project holds by now, as it is noted for each day. */
export async function holdingsOf(db: ProjectDb): Promise<Holdings> {
  const { documents, bytes } = await sumDocuments(db);
  const { bytes: storageBytes } = await readUsage(db);
  return { documents, documentBytes: bytes, storageBytes, users: await countUsers(db) };
}
