import { sql } from '../../platform/db/sql.ts';
import type { OwnedTable } from '../../platform/tables/owned-table.ts';
import { secretPlace } from './secret.ts';

export const webhookTables: readonly OwnedTable[] = [
  { name: 'cell.webhooks', key: ['project_id', 'id'], rowsOf: 'project', after: ['cell.subscribers'] },
  {
    name: 'cell.webhook_secrets',
    key: ['project_id', 'webhook', 'number'],
    rowsOf: 'project',
    after: ['cell.webhooks'],
    expires: { when: sql`expires_at < now()`, hourly: true },
    sealed: {
      column: 'secret',
      holds: 'secrets of webhooks',
      place: ({ project_id = '', webhook = '' }) => secretPlace(project_id, webhook),
    },
  },
];
