import { randomBytes } from 'node:crypto';
import { sha256 } from '../../platform/secrets.ts';
import type { Vault } from '../../platform/vault.ts';
import { limitTries } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import type { Proof } from './provider.ts';
import { toOAuthFailure } from './provider-failures.ts';
import type { Providers } from './providers.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import type { IdentityServices } from './services.ts';
import { insertState } from './store.ts';

export interface LoginWish {
  readonly provider: string;
  readonly redirectUri: string;
  readonly usesPkce: boolean;
}

/** Begins a login at a provider: where to send the user, and the state that comes back. */
export async function startLogin(
  { accounts, vault }: IdentityServices,
  providers: Providers,
  context: RequestContext,
  wish: LoginWish,
): Promise<{ url: string; state: string }> {
  await limitTries(accounts, context);
  const provider = await providers.get(context.project, wish.provider);
  const redirectUri = checkRedirectUri(context.project, wish.redirectUri);
  const state = randomBytes(32).toString('base64url');
  const proof = wish.usesPkce ? proofOf(vault, state) : undefined;
  const url = await provider.loginUrl({ redirectUri, state, proof }).catch((error: unknown) => {
    throw toOAuthFailure(context, wish.provider, error);
  });
  await insertState(context.db, sha256(state), { ...wish, redirectUri });
  return { url: url.href, state };
}

/** Verifier and nonce of a login, made from its state: only the service can, so neither needs to be kept. */
export function proofOf(vault: Vault, state: string): Proof {
  return {
    verifier: vault.mark(`oauth-verifier:${state}`).toString('base64url'),
    nonce: vault.mark(`oauth-nonce:${state}`).toString('base64url'),
  };
}
