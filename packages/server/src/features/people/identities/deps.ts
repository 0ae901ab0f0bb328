import type { Project, Quotas, RequestContext } from '../../../calls/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { SessionDeps } from '../sessions/index.ts';

/** What signing in at identity providers needs of the rest of the service. */
export interface IdentityDeps {
  readonly users: SessionDeps & { readonly quotas: Quotas };
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Whether a user can sign in by anything other than a password or provider. Called in a transaction. */
  readonly hasOtherMethod: (context: RequestContext, userId: string) => Promise<boolean>;
  /** The settings of a provider, as `checkProviderSettings` accepted them; undefined: the project has none. */
  readonly findProvider: (project: Project, name: string) => Promise<unknown>;
}
