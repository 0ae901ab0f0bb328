import { defineError } from '../../../platform/errors.ts';

export const providerNotFound = defineError(
  'provider_not_found',
  (name: string) =>
    `This project has no identity provider "${name.slice(0, 32)}". An operator can add one: plinth project set-provider`,
);
export const redirectNotAllowed = defineError(
  'redirect_uri_not_allowed',
  () =>
    'redirect_uri must be a plain address on one of the project’s allowed origins, e.g. https://app.example.com/signed-in. An operator can add origins: plinth project set-origins',
);
export const oauthFailed = defineError(
  'oauth_failed',
  (reason: string) => `${reason} Start the sign-in again.`,
);
export const emailTaken = defineError(
  'email_taken',
  () =>
    'An account with this email address already exists, and it may not be yours. Sign in as you did before; once your address is verified, you can use this provider too.',
);
export const emailMissing = defineError(
  'email_missing',
  () =>
    'The identity provider did not share an email address, and an account needs one. Allow the app to see it, or sign up with a password.',
);
export const identityNotFound = defineError(
  'identity_not_found',
  (provider: string) => `This account is not connected to "${provider.slice(0, 32)}".`,
);
export const lastMethodOfUser = defineError(
  'last_login_way',
  () =>
    'Without this provider, the user can only sign in after resetting the password by email. To remove it anyway, send even_last=true.',
);
export const lastSignInMethod = defineError(
  'last_login_way',
  () => 'You could not sign in to this account without this provider. Set a password first.',
);
