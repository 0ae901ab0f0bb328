import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { signingKeyPlace } from './key-ring.ts';

export const tokenTables: readonly OwnedTable[] = [
  {
    name: 'control.signing_keys',
    key: ['kid'],
    rowsOf: 'deployment',
    sealed: {
      column: 'private_jwk',
      holds: 'signing keys',
      place: ({ kid = '' }) => signingKeyPlace(kid),
    },
  },
];
