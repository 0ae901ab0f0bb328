import type { ManagementContext, NavigationAnswer, Visit } from '../../../calls/management/index.ts';
import {
  countTries,
  oauthFailed,
  type ProvenIdentity,
  provenIdentity,
  refusedByProvider,
  toOAuthFailure,
} from '../../people/index.ts';
import { endSession, startSession, useChallenge } from '../accounts/index.ts';
import { type BegunSignIn, begunIn, noBegunCookie } from './begun-sign-in.ts';
import { connectedAccount } from './connected-account.ts';
import { callbackOf, issuerOf, type OpenIdDeps } from './deps.ts';

interface EndedSignIn {
  readonly begun: BegunSignIn;
  readonly identity: ProvenIdentity;
}

/** Trades what the issuer gave the browser for who the person is: in the browser that began, and for what it began. */
export async function checkAnswer(
  deps: OpenIdDeps,
  context: ManagementContext,
  { queryString, cookies }: Visit,
): Promise<EndedSignIn> {
  const { provider } = issuerOf(deps);
  await countTries(deps.accounts.tries, { address: context.from.address, whose: undefined });
  const answer = new URLSearchParams(queryString);
  const begun = begunIn(deps.accounts.vault, cookies, context);
  if (!begun || answer.get('state') !== begun.state)
    throw oauthFailed(
      'This sign-in was not started in this browser, or was started more than 10 minutes ago.',
    );
  const code = answer.get('code');
  if (code === null)
    throw refusedByProvider({
      error: answer.get('error'),
      error_description: answer.get('error_description'),
    });
  try {
    const profile = await provider.identify({ code, redirectUri: callbackOf(deps), proof: begun });
    return { begun, identity: provenIdentity('accounts', profile) };
  } catch (error) {
    throw toOAuthFailure(context, 'accounts', error);
  }
}

/** Signs in whom the issuer has identified. A second factor is the issuer's to ask for. */
export async function endSignIn(
  deps: OpenIdDeps,
  context: ManagementContext,
  { begun, identity }: EndedSignIn,
): Promise<NavigationAnswer> {
  const { control } = context;
  if (!(await useChallenge(control, `openid ${begun.state}`)))
    throw oauthFailed('This sign-in was already used.');
  const { accountId, account } = await connectedAccount(deps, control, identity);
  if (begun.before) await endSession(control, begun.before.accountId, begun.before.sessionId);
  const { headers, audit } = await startSession(context, accountId, 'openid');
  return {
    redirect: `${deps.dashboard()}${begun.to}`,
    cookies: [headers?.['Set-Cookie'] ?? '', noBegunCookie(context)],
    audit: { ...audit, details: { ...audit?.details, account } },
  };
}
