import type { SessionDeps } from '../sessions/index.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What passwords need of the rest of the service. */
export interface PasswordDeps extends SessionDeps {
  readonly passwords: PasswordHasher;
}
