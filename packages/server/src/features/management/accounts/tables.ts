import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { authenticatorPlace } from './authenticator.ts';
import { isOver } from './session-store.ts';

const ofAccounts = { rowsOf: 'deployment', after: ['control.accounts'] } as const;

export const accountTables: readonly OwnedTable[] = [
  {
    name: 'control.accounts',
    key: ['id'],
    rowsOf: 'deployment',
    sealed: {
      column: 'totp_secret',
      holds: 'authenticator secrets of accounts',
      place: ({ id = '' }) => authenticatorPlace(id),
    },
  },
  {
    ...ofAccounts,
    name: 'control.account_sessions',
    key: ['id'],
    expires: { when: isOver, hourly: true },
    endsAtRestore: true,
  },
  {
    ...ofAccounts,
    name: 'control.account_tokens',
    key: ['id'],
    // A month longer, so that whoever uses it is told that it has expired.
    expires: { when: sql`expires_at < now() - interval '30 days'`, hourly: true },
  },
  {
    ...ofAccounts,
    name: 'control.account_links',
    key: ['token_hash'],
    expires: { when: sql`expires_at < now() - interval '1 hour'` },
    endsAtRestore: true,
  },
  { ...ofAccounts, name: 'control.account_recovery_codes', key: ['account_id', 'code_hash'] },
  {
    name: 'control.account_used_challenges',
    key: ['challenge_hash'],
    rowsOf: 'deployment',
    // Challenges last for minutes; clocks may differ.
    expires: { when: sql`used_at < now() - interval '1 hour'` },
  },
];
