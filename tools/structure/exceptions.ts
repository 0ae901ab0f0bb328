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
  'features/data/changes/changes.ts cell.links':
    'Says what a row of the log means; asks the database nothing.',
  'features/data/collections/store.ts cell.indexes':
    'A collection is read with its indexes in one statement, so that one invalidation covers both.',
  'features/data/documents/shared-rows-store.ts cell.document_counts':
    'A create counts and inserts in one statement: that is where it meets the deletion of its collection.',
  'features/data/placement/key-store.ts cell.collections':
    'Stored keys are a column of the collection, as home and epoch are.',
  'features/data/placement/move-store.ts cell.collections':
    'Home and epoch are columns of the collection, which every load of it needs.',
  'features/people/user-records/user-store.ts cell.sessions':
    'Every call with a token finds the user of its session in one shared statement.',
};

/** Modules that keep state. */
export const moduleState: Readonly<Record<string, string>> = {
  'platform/ids.ts':
    'Ids rise within a process whoever asks for them, as random numbers come from one source.',
  'platform/concurrency/yielder.ts': 'A process has one event loop, whoever works on it.',
  'platform/tracing/current-call.ts':
    'The key under which the runtime carries along which call it works for; it holds nothing itself.',
};

/** Modules with handlers of emitters or timers that are not registered through `guarded`. */
export const plainHandlers: Readonly<Record<string, string>> = {
  'platform/change-feed/memory-stream.ts': 'The timer settles a promise, and does nothing else.',
  'platform/change-feed/replication.ts':
    'The library waits for the promise of the handler of data, which catches everything itself.',
  'platform/concurrency/answer-jobs.ts':
    'On a thread of its own: what it throws ends the thread, and fails the call that waits for it.',
  'platform/concurrency/fair-semaphore.ts': 'The timer settles a promise, and does nothing else.',
  'platform/db/local-postgres.ts': 'Starts PostgreSQL for development, before anybody is served.',
  'platform/db/pool.ts': 'They write to the log, and do nothing else.',
  'platform/outbound/outbound.ts': 'They settle a promise, and do nothing else.',
};
