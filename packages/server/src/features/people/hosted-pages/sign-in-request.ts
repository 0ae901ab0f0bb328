import { type Project } from '../../../calls/index.ts';
import type { HtmlAnswer } from '../../../platform/http/html-page.ts';
import type { PageFields } from '../../../platform/http/page-forms.ts';
import { configOf } from '../../control/index.ts';
import type { SignIn } from '../user-records/index.ts';
import type { HostedPageDeps } from './deps.ts';
import type { PageCall } from './page-state.ts';
import type { Texts } from './texts/texts.ts';

/** What an app asks the hosted sign-in for: where to come back to, and what to bring. */
export interface SignInRequest {
  readonly redirectUri: string;
  /** What the address and the forms carry from page to page; checked anew each time. */
  readonly carried: Readonly<Record<'redirect_uri' | 'state' | 'code_challenge', string | undefined>>;
}

/** A call of one of the pages of a sign-in. */
export interface SignInCall extends PageCall {
  readonly request: SignInRequest;
}

type Mistake = Exclude<keyof Texts['setup'], 'title'>;

const challengeForm = /^[A-Za-z0-9_-]{43}$/;
const maxState = 512;

/** Reads what the app asks for; a mistake is the developer's, and the page says so. */
export function readSignInRequest(
  { isAllowedRedirect }: Pick<HostedPageDeps, 'isAllowedRedirect'>,
  project: Project,
  given: PageFields,
): SignInRequest | Mistake {
  const asked = given.get('redirect_uri');
  const redirectUri = asked ?? configOf(project).FRONTEND_URL;
  if (redirectUri === null) return 'noTarget';
  // What the project itself has set needs no second permission.
  if (asked !== undefined && !isAllowedRedirect(project, asked)) return 'targetNotAllowed';
  const state = given.get('state');
  if (state !== undefined && state.length > maxState) return 'state';
  const challenge = given.get('code_challenge');
  if (challenge !== undefined && !challengeForm.test(challenge)) return 'challenge';
  if ((given.get('code_challenge_method') ?? 'S256') !== 'S256') return 'challenge';
  return { redirectUri, carried: { redirect_uri: asked, state, code_challenge: challenge } };
}

/** Goes back to the app, with a code that it trades for a token. */
export async function finishSignIn(
  { issueSignInCode }: Pick<HostedPageDeps, 'issueSignInCode'>,
  { context, request }: SignInCall,
  login: SignIn,
): Promise<HtmlAnswer> {
  const codeChallenge = request.carried.code_challenge;
  const code = await issueSignInCode(context, login, {
    redirectUri: request.redirectUri,
    ...(codeChallenge !== undefined && { codeChallenge }),
  });
  return { redirect: returnAddress(request, code) };
}

/** Replaces what the address already has under these names: an app must not take that for ours. */
function returnAddress({ redirectUri, carried }: SignInRequest, code: string): string {
  const address = new URL(redirectUri);
  address.searchParams.set('code', code);
  if (carried.state === undefined) address.searchParams.delete('state');
  else address.searchParams.set('state', carried.state);
  return address.href;
}
