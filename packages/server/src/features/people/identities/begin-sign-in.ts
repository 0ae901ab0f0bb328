import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import { limitTries } from '../sessions/index.ts';
import type { IdentityDeps } from './deps.ts';
import type { Proof } from './provider.ts';
import { toOAuthFailure } from './provider-failures.ts';
import type { Providers } from './providers.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { insertState } from './store.ts';

export interface SignInWish {
  readonly provider: string;
  readonly redirectUri: string;
  readonly usesPkce: boolean;
}

/** Begins a sign-in at a provider: where to send the user, and the state that comes back. */
export async function beginSignIn(
  { users, vault }: IdentityDeps,
  providers: Providers,
  context: RequestContext,
  wish: SignInWish,
): Promise<{ url: string; state: string }> {
  await limitTries(users, context);
  const provider = await providers.get(context.project, wish.provider);
  const redirectUri = checkRedirectUri(context.project, wish.redirectUri);
  const state = randomBytes(32).toString('base64url');
  const proof = wish.usesPkce ? proofOf(vault, state) : undefined;
  const url = await provider.signInUrl({ redirectUri, state, proof }).catch((error: unknown) => {
    throw toOAuthFailure(context, wish.provider, error);
  });
  await insertState(context.db, sha256(state), { ...wish, redirectUri });
  return { url: url.href, state };
}

/** Verifier and nonce of a sign-in, derived from its state: only the service can do that, so neither is stored. */
export function proofOf(vault: Vault, state: string): Proof {
  return {
    verifier: vault.mark(`oauth-verifier:${state}`).toString('base64url'),
    nonce: vault.mark(`oauth-nonce:${state}`).toString('base64url'),
  };
}
