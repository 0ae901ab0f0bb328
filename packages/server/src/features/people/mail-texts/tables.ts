import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const mailTextTables: readonly OwnedTable[] = [
  { name: 'cell.mail_templates', key: ['project_id', 'name', 'language'], rowsOf: 'project' },
];
