import { defineError } from '../../../platform/errors.ts';

export const wrongSignIn = defineError('invalid_login', () => 'Wrong email or password.');
export const secondStepRequired = defineError(
  'second_step_required',
  () =>
    'This account has a second factor. Repeat the request with "code": the six digits of the authenticator app, or a recovery code.',
);
export const signUpClosed = defineError(
  'sign_up_closed',
  () =>
    'Sign-up is by invitation only. Ask whoever runs this deployment for an invitation (plinth account invite), or the owner of a project.',
);
export const accountEmailTaken = defineError(
  'email_taken',
  () => 'An account with this email address already exists. Sign in, or reset the password.',
);
export const emailNotVerified = defineError(
  'email_not_verified',
  () =>
    'First confirm your email address with the link that was emailed to you. Request another one: POST /management/account/verification.',
);
export const noAccount = defineError('account_not_found', (email: string) => ({
  message: `There is no account with the address ${email.slice(0, 254)}. Send an invitation: plinth account invite <email>`,
}));
export const alreadyVerified = defineError(
  'already_verified',
  () => 'The email address of this account is already confirmed.',
);
export const noSession = defineError('session_not_found', (id: string) => ({
  message: `You have no session "${id.slice(0, 50)}". List yours: GET /management/sessions.`,
}));
export const noPersonalToken = defineError('token_not_found', (id: string) => ({
  message: `You have no personal access token "${id.slice(0, 50)}". List yours: GET /management/tokens.`,
}));
export const loginPending = defineError(
  'login_pending',
  () =>
    'This login has not been approved yet, or it has expired: an approval is valid once, for ten minutes.',
);
export const tokenForOthers = defineError(
  'session_required',
  () => 'This personal access token is limited to certain projects, so it cannot create new ones.',
);
export const tooManyTokens = defineError(
  'too_many_tokens',
  (most: number) => `An account can have at most ${most} personal access tokens. Revoke one first.`,
);
export const authenticatorInForce = defineError(
  'authenticator_set_up',
  () => 'An authenticator app is already set up. Remove it before you set up another one.',
);
export const noAuthenticator = defineError(
  'no_authenticator',
  () => 'This account has no authenticator app. Set one up: POST /management/account/authenticator.',
);
export const noMail = defineError(
  'mail_not_configured',
  () =>
    'This deployment cannot send email. Whoever runs it can give you a link (plinth account invite), or set SMTP_URL and MAIL_FROM.',
);
