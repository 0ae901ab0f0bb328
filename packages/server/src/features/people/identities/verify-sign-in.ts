import type { RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { limitTries } from '../sessions/index.ts';
import { readEmail } from '../user-records/index.ts';
import { proofOf } from './begin-sign-in.ts';
import type { IdentityDeps } from './deps.ts';
import { oauthFailed } from './errors.ts';
import type { Proof, ProviderProfile } from './provider.ts';
import { toOAuthFailure } from './provider-failures.ts';
import type { Providers } from './providers.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { claimCode, takeState } from './store.ts';

export interface ProviderAnswer {
  readonly provider: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly state?: string | undefined;
}

/** Who somebody is at a provider: checked, and safe to store. */
export interface ProvenIdentity {
  readonly provider: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVouched: boolean;
  readonly data: { readonly name?: string; readonly picture?: string };
}

/** Trades what the provider gave the app for who the person is. Code and state are used up, even if this fails. */
export async function verifySignIn(
  deps: IdentityDeps,
  providers: Providers,
  context: RequestContext,
  answer: ProviderAnswer,
): Promise<ProvenIdentity> {
  await limitTries(deps.users, context);
  const provider = await providers.get(context.project, answer.provider);
  const redirectUri = checkRedirectUri(context.project, answer.redirectUri);
  const proof = await takeProof(deps, context, answer);
  const codeHash = sha256(`${answer.provider} ${answer.code}`);
  if (!(await claimCode(context.db, codeHash))) throw oauthFailed('This code was already used.');
  try {
    return provenIdentity(
      answer.provider,
      await provider.identify({ code: answer.code, redirectUri, proof }),
    );
  } catch (error) {
    throw toOAuthFailure(context, answer.provider, error);
  }
}

async function takeProof(
  { vault }: IdentityDeps,
  { db }: RequestContext,
  { provider, redirectUri, state }: ProviderAnswer,
): Promise<Proof | undefined> {
  if (state === undefined) return undefined;
  const begun = await takeState(db, sha256(state));
  if (begun?.provider !== provider || begun.redirectUri !== redirectUri)
    throw oauthFailed('The state is wrong, was already used, or is older than 10 minutes.');
  return begun.usesPkce ? proofOf(vault, state) : undefined;
}

/** OpenID Connect bounds how long a subject may be. */
const subjectForm = /^[\x20-\x7e]{1,255}$/;

/** What a provider says of somebody, checked. */
export function provenIdentity(provider: string, profile: ProviderProfile): ProvenIdentity {
  if (!subjectForm.test(profile.subject)) throw oauthFailed('The identity provider did not identify a user.');
  const email = readableEmail(profile.email);
  const name = shortText(profile.name);
  const picture = shortText(profile.picture);
  return {
    provider,
    subject: profile.subject,
    email,
    isEmailVouched: email !== undefined && profile.isEmailVouched,
    data: { ...(name !== undefined && { name }), ...(picture !== undefined && { picture }) },
  };
}

function readableEmail(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  try {
    return readEmail(value);
  } catch {
    return undefined;
  }
}

/** A text of the profile if it is short. It is never cut: half the address of a picture would be worth nothing. */
function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim();
  return text === '' || text.length > 200 ? undefined : text;
}
