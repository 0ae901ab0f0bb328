import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { removeOwnTables, removeShared } from './removal-store.ts';

/** Where documents are; they go with the files they hold. */
export const placementTables: readonly OwnedTable[] = [
  {
    name: 'cell.documents',
    key: ['project_id', 'collection', 'id'],
    rowsOf: 'collection',
    remove: removeShared,
  },
  { name: 'own.*', key: ['id'], rowsOf: 'collection', after: ['cell.documents'], remove: removeOwnTables },
];
