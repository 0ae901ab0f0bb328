import type { AccountDeps } from '../accounts/index.ts';
import type { AccountIssuer } from './account-issuer.ts';
import { noIssuer } from './errors.ts';

/** What signing in at an issuer needs of the rest of the service. */
export interface OpenIdDeps {
  readonly accounts: Pick<AccountDeps, 'vault' | 'tries' | 'signUp' | 'isAwaited'>;
  /** Absent: the deployment names none. */
  readonly issuer: AccountIssuer | undefined;
  /** Where people manage projects. */
  readonly dashboard: () => string;
}

export function issuerOf({ issuer }: OpenIdDeps): AccountIssuer {
  if (!issuer) throw noIssuer();
  return issuer;
}

/** Where the issuer sends people back to: whoever runs the deployment has told the issuer so. */
export const callbackOf = ({ dashboard }: OpenIdDeps): string =>
  `${dashboard()}/management/session/openid/callback`;
