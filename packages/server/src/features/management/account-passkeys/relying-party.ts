import { isIP } from 'node:net';
import type { RelyingParty } from '../../people/index.ts';
import type { AccountPasskeyDeps } from './deps.ts';
import { addressHasNoName } from './errors.ts';

/** The pages of the dashboard: whatever a call says of itself does not matter. */
export function dashboardParty({ dashboard }: Pick<AccountPasskeyDeps, 'dashboard'>): RelyingParty {
  const { origin, hostname } = new URL(dashboard());
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) throw addressHasNoName();
  return { origin, rpId: hostname };
}
