import type { Vault } from '../../platform/vault.ts';
import type { AppUserServices } from '../app-users/index.ts';
import type { MessageServices } from '../messages/index.ts';
import type { Project, RequestContext } from '../projects/index.ts';

/** What the flows around a login need of the rest of the service. */
export interface AuthFlowServices {
  readonly users: AppUserServices;
  readonly messages: MessageServices;
  readonly vault: Vault;
  /** Where the service's own pages of a project are; never taken from a request. */
  readonly pagesOf: (project: Project) => string;
  /** Forgets every other way into an account: providers and passkeys. */
  readonly unlink: (context: RequestContext, userId: string) => Promise<void>;
}
