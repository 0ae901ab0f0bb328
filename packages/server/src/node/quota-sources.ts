import { type QuotaSources, sumKeptAnswers } from '../calls/index.ts';
import { countCollections, sumDocuments } from '../features/data/collections/index.ts';
import { countIndexes } from '../features/data/indexes/index.ts';
import { countMessagesToday } from '../features/people/messages/index.ts';
import { countUsers } from '../features/people/user-records/index.ts';

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
