import type { Vault } from '../../../platform/crypto/vault.ts';
import type { TryLimits } from '../../people/index.ts';

/** What passkeys of accounts need of the rest of the service. */
export interface AccountPasskeyDeps {
  readonly vault: Vault;
  readonly tries: TryLimits;
  /** Where people manage projects. */
  readonly dashboard: () => string;
}
