import type { AppUserServices } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';

/** What passkeys need of the rest of the service. */
export interface PasskeyServices {
  readonly users: AppUserServices;
  /** Whether a user can sign in by something else than a password or passkey. Called in a transaction. */
  readonly hasOtherWay: (context: RequestContext, userId: string) => Promise<boolean>;
}
