import { invalidQuery, refuseOthers } from '../../../calls/index.ts';
import type { ManagementContext, NavigationAnswer, Visit } from '../../../calls/management/index.ts';
import { countTries, newToken, toOAuthFailure } from '../../people/index.ts';
import { begunCookie } from './begun-sign-in.ts';
import { callbackOf, issuerOf, type OpenIdDeps } from './deps.ts';
import { readReturnPath } from './return-path.ts';

/** Sends the browser to the issuer, and lets it keep what shows that it was this one. */
export async function beginSignIn(
  deps: OpenIdDeps,
  context: ManagementContext,
  { queryString }: Visit,
): Promise<NavigationAnswer> {
  const { provider } = issuerOf(deps);
  refuseOthers(queryString, ['to']);
  const given = new URLSearchParams(queryString).getAll('to');
  if (given.length > 1) throw invalidQuery('to', 'It must not appear more than once.');
  const to = readReturnPath(given[0] ?? null, deps.dashboard());
  await countTries(deps.accounts.tries, { address: context.from.address, whose: undefined });
  const state = newToken();
  const proof = { verifier: newToken(), nonce: newToken() };
  const url = await provider
    .signInUrl({ redirectUri: callbackOf(deps), state, proof })
    .catch((error: unknown) => {
      throw toOAuthFailure(context, 'accounts', error);
    });
  const { account, session } = context.caller ?? {};
  const before = account && session && { accountId: account.id, sessionId: session.id };
  const begun = { state, ...proof, to, ...(before && { before }) };
  return { redirect: url.href, cookies: [begunCookie(deps.accounts.vault, begun, context)] };
}
