// What may break a rule of check-source.ts, and why. These lists may only get shorter: an entry that is no longer needed
// fails the check.

/** Statements that name a table of another feature. */
export const foreignTables: Readonly<Record<string, string>> = {
  'features/data/changes/changes.ts cell.app_users':
    'Says what a row of the log means; asks the database nothing.',
  'features/data/changes/changes.ts cell.sessions':
    'Says what a row of the log means; asks the database nothing.',
  'features/data/changes/changes.ts cell.collections':
    'Says what a row of the log means; asks the database nothing.',
  'features/data/collections/store.ts cell.indexes':
    'A collection is read with its indexes in one statement, so that one invalidation covers both.',
  'features/data/documents/shared-store.ts cell.document_counts':
    'A create counts and inserts in one statement: that is where it meets the deletion of its collection.',
  'features/data/placement/move-store.ts cell.collections':
    'Home and epoch are columns of the collection, which every load of it needs.',
  'features/people/user-records/user-store.ts cell.sessions':
    'Every call with a token finds the user of its session in one shared statement.',
};

/** Modules that keep state. */
export const moduleState: Readonly<Record<string, string>> = {
  'platform/ids.ts':
    'Ids rise within a process whoever asks for them, as random numbers come from one source.',
};
