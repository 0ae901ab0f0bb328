import type { RequestContext } from '../../../calls/index.ts';
import type { PasswordDeps } from '../passwords/index.ts';

/** What passkeys need of the rest of the service. */
export interface PasskeyDeps {
  readonly users: PasswordDeps;
  /** Whether a user can sign in by anything other than a password or passkey. Called in a transaction. */
  readonly hasOtherMethod: (context: RequestContext, userId: string) => Promise<boolean>;
}
