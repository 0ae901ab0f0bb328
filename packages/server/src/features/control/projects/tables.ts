import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { secretPlace } from './project-secrets.ts';

export const projectTables: readonly OwnedTable[] = [
  { name: 'control.cells', key: ['number'], rowsOf: 'deployment' },
  { name: 'control.projects', key: ['id'], rowsOf: 'deployment', after: ['control.cells'] },
  {
    name: 'control.project_secrets',
    key: ['project_id', 'name'],
    rowsOf: 'project',
    after: ['control.projects'],
    sealed: {
      column: 'sealed',
      holds: 'settings of projects',
      place: ({ project_id: projectId = '', name = '' }) => secretPlace(projectId, name),
    },
  },
];
