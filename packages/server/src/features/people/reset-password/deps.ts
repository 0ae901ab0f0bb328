import type { Project, RequestContext } from '../../../calls/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { MessageDeps } from '../messages/index.ts';
import type { PasswordDeps } from '../passwords/index.ts';

/** What it takes to mail a link that sets a new password. */
export interface ResetMailDeps {
  readonly messages: MessageDeps;
  readonly vault: Vault;
  /** Where the service's own pages of a project are; never taken from a request. */
  readonly pagesOf: (project: Project) => string;
}

export interface ResetPasswordDeps extends ResetMailDeps {
  readonly users: PasswordDeps;
  /** Forgets the providers and passkeys that a user signs in with. */
  readonly unlink: (context: RequestContext, userId: string) => Promise<void>;
}
