import type { RequestContext } from '../../../calls/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { oauthFailed } from './errors.ts';

/** Something that a provider should not have answered; why is for the log alone. */
class StrangeAnswer extends Error {}

export const strangeAnswer = (why: string): Error => new StrangeAnswer(why);

/** What a provider says when it refuses, in its own words if they can be shown. */
export function refusedByProvider(said: {
  readonly error?: unknown;
  readonly error_description?: unknown;
}): AppError {
  const words = [said.error, said.error_description].map(showable).filter((text) => text !== '');
  return oauthFailed(
    `The identity provider rejected the sign-in${words.length > 0 ? `: ${words.join(', ')}` : ''}.`,
  );
}

/** Explains why a call to a provider failed; what only helps whoever configured it goes to the log. */
export function toOAuthFailure(
  { log }: Pick<RequestContext, 'log'>,
  provider: string,
  error: unknown,
): AppError {
  if (error instanceof AppError) return error;
  const failure: Failure = error instanceof Error ? error : new Error(String(error));
  if (failure.name === 'ResponseBodyError') return refusedByProvider(failure);
  if (failure.name === 'WWWAuthenticateChallengeError') {
    return refusedByProvider(challengeOf(failure) ?? { error: 'invalid_client' });
  }
  const unreachable = [error, failure.cause].find((reason) => reason instanceof OutboundError);
  // Never the error itself: its causes hold answers of the provider, tokens among them.
  log.warn(
    { provider, reason: unreachable?.message ?? failure.message, code: failure.code },
    'sign-in at an identity provider failed',
  );
  if (unreachable) return oauthFailed('The identity provider could not be reached.');
  if (failure.code === 'OAUTH_TIMEOUT' || failure.code === 'OAUTH_ABORT')
    return oauthFailed('The identity provider could not be reached.');
  if (failure.code?.startsWith('OAUTH_JWT') || failure.code === 'OAUTH_KEY_SELECTION_FAILED')
    return oauthFailed('The identity provider’s ID token is not valid for this project.');
  return oauthFailed('The identity provider sent a response that Plinth does not understand.');
}

interface Failure extends Error {
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
}

interface Challenge {
  readonly parameters?: { readonly error?: string; readonly error_description?: string };
}

function challengeOf({ cause }: Failure): Challenge['parameters'] {
  if (!Array.isArray(cause)) return undefined;
  const challenges: Challenge[] = cause;
  return challenges.find(({ parameters }) => parameters?.error)?.parameters;
}

/** A provider's text, cut, and without what would change the look of the text around it. */
function showable(text: unknown): string {
  return typeof text === 'string'
    ? text
        .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
        .trim()
        .slice(0, 200)
        .toWellFormed()
    : '';
}
