import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { removeRequests } from './request-store.ts';

export const requestTables: readonly OwnedTable[] = [
  { name: 'cell.requests', key: ['project_id', 'id'], rowsOf: 'project', remove: removeRequests },
  // Its partitions, a day each: their rows are those of the table.
  { name: 'cell.requests_*', key: ['project_id', 'id'], rowsOf: 'cell' },
  { name: 'cell.request_routes', key: ['number'], rowsOf: 'cell' },
];
