import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { doomBlobs } from './store.ts';

export const fileTables: readonly OwnedTable[] = [
  {
    name: 'cell.loose_blobs',
    key: ['tree'],
    rowsOf: 'project',
    // What is still to be removed from the blob store outlives the project, until housekeeping has removed it.
    remove: async (db) => {
      await doomBlobs(db);
      return 'done';
    },
  },
  { name: 'cell.files', key: ['project_id', 'id'], rowsOf: 'project', after: ['cell.loose_blobs'] },
  { name: 'cell.storage_usage', key: ['project_id'], rowsOf: 'project', after: ['cell.files'] },
  {
    name: 'cell.storage_by_type',
    key: ['project_id', 'extension'],
    rowsOf: 'project',
    after: ['cell.files'],
  },
];
