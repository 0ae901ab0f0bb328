import { defineError } from '../../../platform/errors.ts';

export const providerNotFound = defineError(
  'provider_not_found',
  (name: string) =>
    `This project has no identity provider "${name.slice(0, 32)}". An operator can add one with: plinth project set-provider`,
);
export const redirectNotAllowed = defineError(
  'redirect_uri_not_allowed',
  () =>
    'redirect_uri must be a plain address on one of the project’s allowed origins, e.g. https://app.example.com/signed-in. An operator can add origins with: plinth project set-origins',
);
export const oauthFailed = defineError(
  'oauth_failed',
  (reason: string) => `${reason} Start the login again.`,
);
export const emailTaken = defineError(
  'email_taken',
  () =>
    'This e-mail address already has an account, and it is not certain that it is yours. Log in as you did before; once your address is verified, this provider can be used too.',
);
export const emailMissing = defineError(
  'email_missing',
  () =>
    'The identity provider gives no e-mail address, and an account needs one. Allow the app to see it, or sign up with a password.',
);
export const identityNotFound = defineError(
  'identity_not_found',
  (provider: string) => `This account is not connected to "${provider.slice(0, 32)}".`,
);
export const lastMethodOfUser = defineError(
  'last_login_way',
  () =>
    'Without this provider the user could sign in only after a reset of the password by mail. If that is meant, send even_last=true.',
);
export const lastSignInMethod = defineError(
  'last_login_way',
  () => 'Without this provider nobody could log in to this account. Set a password first.',
);
