import type { Vault } from '../../../platform/crypto/vault.ts';
import type { MessageDeps } from '../messages/index.ts';
import type { PasswordDeps } from '../passwords/index.ts';

/** What it takes to ask for a second step. */
export interface ChallengeDeps {
  readonly messages: MessageDeps;
  readonly vault: Vault;
}

export interface SecondStepDeps extends ChallengeDeps {
  readonly users: PasswordDeps;
}
