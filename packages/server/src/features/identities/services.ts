import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Vault } from '../../platform/vault.ts';
import type { AppUserServices } from '../app-users/index.ts';
import type { Project, RequestContext } from '../projects/index.ts';

/** What logins at identity providers need of the rest of the service. */
export interface IdentityServices {
  readonly accounts: AppUserServices;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Whether a user can sign in by something else than a password or provider. Called in a transaction. */
  readonly hasOtherWay: (context: RequestContext, userId: string) => Promise<boolean>;
  /** The settings of a provider, as `checkProviderSettings` let them pass; undefined: the project has none. */
  readonly findProvider: (project: Project, name: string) => Promise<unknown>;
}
