import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

/** A collection comes after its documents: once it is there they are, and once it is gone nothing can be added to it. */
export const collectionTables: readonly OwnedTable[] = [
  { name: 'cell.project_numbers', key: ['project_id'], rowsOf: 'project' },
  {
    name: 'cell.document_counts',
    key: ['project_id', 'collection', 'slot'],
    rowsOf: 'collection',
    after: ['cell.documents'],
  },
  {
    name: 'cell.collections',
    key: ['project_id', 'number'],
    rowsOf: 'project',
    after: ['cell.project_numbers', 'cell.documents', 'cell.document_counts', 'cell.indexes'],
  },
];
