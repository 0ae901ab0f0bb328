import { defineError } from '../../../platform/errors.ts';

export const noPasskey = defineError(
  'passkey_not_found',
  (id: string) => `You have no passkey "${id.slice(0, 50)}". List yours: GET /management/account/passkeys.`,
);
export const addressHasNoName = defineError(
  'passkey_domain_unknown',
  () =>
    'A passkey belongs to a domain name, but this dashboard is reached by IP address. Whoever runs this deployment can set DASHBOARD_URL or PUBLIC_URL.',
);
